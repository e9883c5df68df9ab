import type { Size } from '../../domain/raster';
import { META, RDF, readXmp, type KeptProperty } from './xmp';

const SPHERE_SIZES = /^(FullPano|CroppedArea|LargestValidInteriorRect)/;

/** What says that an image shows all of an equirectangular panorama. */
const sphereProperties = ({ width, height }: Size): readonly KeptProperty[] =>
  Object.entries({
    ProjectionType: 'equirectangular',
    UsePanoramaViewer: 'True',
    FullPanoWidthPixels: width,
    FullPanoHeightPixels: height,
    CroppedAreaImageWidthPixels: width,
    CroppedAreaImageHeightPixels: height,
    CroppedAreaLeftPixels: 0,
    CroppedAreaTopPixels: 0,
  }).map(([name, value]) => ({
    ...{ prefix: 'GPano', nameSpace: 'http://ns.google.com/photos/1.0/panorama/', kind: 'panorama' },
    ...{ name, value: String(value) },
  }));

const withSphere = (kept: readonly KeptProperty[], sphere: Size): readonly KeptProperty[] => {
  const added = sphereProperties(sphere);
  const isReplaced = ({ prefix, name }: KeptProperty): boolean =>
    prefix === 'GPano' && (SPHERE_SIZES.test(name) || added.some((property) => property.name === name));
  return [...kept.filter((property) => !isReplaced(property)), ...added];
};

/**
 * A new packet with only the allowed properties of another; undefined if there are none.
 *
 * @param sphere size of an image that is an equirectangular panorama: the packet says so
 */
export const writeXmp = (packet: Uint8Array, sphere?: Size): Uint8Array | undefined => {
  const kept = readXmp(packet);
  const properties = sphere ? withSphere(kept, sphere) : kept;
  if (properties.length === 0) return undefined;
  const spaces = new Map(properties.map(({ prefix, nameSpace }) => [prefix, nameSpace]));
  const attributes = [
    'rdf:about=""',
    ...[...spaces].map(([prefix, nameSpace]) => `xmlns:${prefix}="${nameSpace}"`),
    // Their forms have no character that would have to be escaped.
    ...properties.map(({ prefix, name, value }) => `${prefix}:${name}="${value}"`),
  ];
  return new TextEncoder().encode(
    [
      '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>',
      `<x:xmpmeta xmlns:x="${META}"><rdf:RDF xmlns:rdf="${RDF}">`,
      `<rdf:Description ${attributes.join(' ')}/>`,
      '</rdf:RDF></x:xmpmeta>',
      '<?xpacket end="r"?>',
    ].join('\n'),
  );
};
