import type { MetadataKind } from '../../domain/image-header';
import { KEPT_PROPERTIES } from './kept-fields';

/** Before the packet in a segment of a JPEG file. What does not fit into one is continued under another name. */
export const JPEG_XMP_PREFIX = 'http://ns.adobe.com/xap/1.0/\0';
/** Before the packet in an `iTXt` chunk: keyword, no compression, no languages. */
export const PNG_XMP_PREFIX = 'XML:com.adobe.xmp\0\0\0\0\0';

export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
export const META = 'adobe:ns:meta/';
/** Longer packets are not read: cameras write some kilobytes, and editors append the history of their changes. */
const MAX_PACKET_BYTES = 2 ** 18;
/** Elements in one another; properties that are kept are at the fourth level. */
const MAX_DEPTH = 64;
/** Editors declare about 20. Each element with a declaration copies those around it. */
const MAX_NAME_SPACES = 256;

/** A property that is kept. Its value has the form that the list of allowed properties demands. */
export interface KeptProperty {
  readonly prefix: string;
  readonly nameSpace: string;
  readonly name: string;
  readonly value: string;
  readonly kind: MetadataKind;
}

const ALLOWED: ReadonlyMap<
  string,
  { readonly form: RegExp; readonly property: Omit<KeptProperty, 'value'> }
> = new Map(
  KEPT_PROPERTIES.flatMap(({ forms, ...space }) =>
    forms.flatMap(([form, names]) =>
      names
        .split(' ')
        .map((name) => [`${space.nameSpace} ${name}`, { form, property: { ...space, name } }] as const),
    ),
  ),
);

/** Name spaces by their prefix. */
type NameSpaces = ReadonlyMap<string, string>;

interface Tag {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly isClosed: boolean;
}

/** An element that is open. */
interface Element {
  readonly tagName: string;
  /** With its name space. */
  readonly name: string;
  readonly nameSpaces: NameSpaces;
  /** Of an element without others in it. */
  text: string | undefined;
}

class InvalidXml extends Error {}

const NAME = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y;
const ATTRIBUTE = /\s+([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /\s*(\/?)>/y;

const matchAt = (pattern: RegExp, xml: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(xml) ?? undefined;
};

/** @returns the tag that begins at `at`, and the offset behind it @throws InvalidXml */
const readTag = (xml: string, at: number): readonly [Tag, number] => {
  const [name] = matchAt(NAME, xml, at + 1) ?? [];
  if (name === undefined) throw new InvalidXml();
  const attributes: [string, string][] = [];
  let end = at + 1 + name.length;
  for (let next = matchAt(ATTRIBUTE, xml, end); next; next = matchAt(ATTRIBUTE, xml, end)) {
    attributes.push([next[1] ?? '', next[2] ?? next[3] ?? '']);
    end += next[0].length;
  }
  const close = matchAt(TAG_END, xml, end);
  if (!close) throw new InvalidXml();
  return [{ name, attributes, isClosed: close[1] === '/' }, end + close[0].length];
};

const resolve = (name: string, nameSpaces: NameSpaces): string => {
  const [prefix, local] = name.split(':');
  return local === undefined ? name : `${nameSpaces.get(prefix ?? '') ?? ''} ${local}`;
};

const declaredBy = ({ attributes }: Tag, outer: NameSpaces): NameSpaces => {
  const declared = attributes.filter(([name]) => name.startsWith('xmlns:'));
  if (declared.length === 0) return outer;
  const all = [...outer, ...declared.map(([name, uri]) => [name.slice('xmlns:'.length), uri] as const)];
  if (all.length > MAX_NAME_SPACES) throw new InvalidXml();
  return new Map(all);
};

const DESCRIPTION = [`${RDF} RDF`, `${RDF} Description`];
const DESCRIPTIONS = [DESCRIPTION, [`${META} xmpmeta`, ...DESCRIPTION]];

/** Whether the innermost element is one that describes the image itself, not a part of a structure. */
const isDescription = (open: readonly Element[]): boolean =>
  DESCRIPTIONS.some(
    (path) => path.length === open.length && path.every((name, level) => name === open[level]?.name),
  );

/** Takes the simple properties of a packet: attributes, and elements with nothing but text. */
class PropertyReader {
  readonly found = new Map<string, KeptProperty>();
  private readonly open: Element[] = [];

  get isInside(): boolean {
    return this.open.length > 0;
  }

  private take(name: string, value: string): void {
    const allowed = ALLOWED.get(name);
    if (!allowed || this.found.has(name) || !allowed.form.test(value)) return;
    this.found.set(name, { ...allowed.property, value });
  }

  begin(tag: Tag): void {
    const outer = this.open.at(-1);
    if (outer) outer.text = undefined;
    if (this.open.length >= MAX_DEPTH) throw new InvalidXml();
    const nameSpaces = declaredBy(tag, outer?.nameSpaces ?? new Map());
    const text = tag.attributes.length === 0 ? '' : undefined;
    this.open.push({ tagName: tag.name, name: resolve(tag.name, nameSpaces), nameSpaces, text });
    if (isDescription(this.open)) {
      for (const [name, value] of tag.attributes) this.take(resolve(name, nameSpaces), value);
    }
    if (tag.isClosed) this.end(tag.name);
  }

  text(characters: string): void {
    const inner = this.open.at(-1);
    if (inner?.text !== undefined) inner.text += characters;
  }

  end(tagName: string): void {
    const closed = this.open.pop();
    if (closed?.tagName !== tagName) throw new InvalidXml();
    if (closed.text !== undefined && isDescription(this.open)) this.take(closed.name, closed.text.trim());
  }
}

const behind = (xml: string, end: string, from: number): number => {
  const at = xml.indexOf(end, from);
  if (at < 0) throw new InvalidXml();
  return at + end.length;
};

/** Reads the markup at `at`. @returns the offset behind it @throws InvalidXml */
const readMarkup = (xml: string, at: number, reader: PropertyReader): number => {
  if (xml.startsWith('<?', at)) return behind(xml, '?>', at);
  if (xml.startsWith('<!--', at)) return behind(xml, '-->', at + '<!--'.length);
  if (xml.startsWith('</', at)) {
    const end = behind(xml, '>', at);
    reader.end(xml.slice(at + 2, end - 1).trimEnd());
    return end;
  }
  // Neither a document type, which could define entities, nor other sections are part of XMP.
  const [tag, end] = readTag(xml, at);
  reader.begin(tag);
  return end;
};

const readProperties = (xml: string): readonly KeptProperty[] => {
  const reader = new PropertyReader();
  let at = xml.indexOf('<');
  while (at >= 0) {
    at = readMarkup(xml, at, reader);
    const next = xml.indexOf('<', at);
    reader.text(xml.slice(at, next < 0 ? undefined : next));
    at = next;
  }
  if (reader.isInside) throw new InvalidXml();
  return [...reader.found.values()];
};

/**
 * Reads the properties of an XMP packet that `--keep-metadata` keeps; none where it is not well-formed or too long.
 *
 * A small reader instead of a library: entities are not replaced, document types are refused, and a value counts only
 * if it has the form of its property. The effort grows with the length alone.
 *
 * @see ISO 16684-1, 7
 */
export const readXmp = (packet: Uint8Array): readonly KeptProperty[] => {
  if (packet.length > MAX_PACKET_BYTES) return [];
  try {
    return readProperties(new TextDecoder().decode(packet));
  } catch (error) {
    if (error instanceof InvalidXml) return [];
    throw error;
  }
};
