/** A section of a module of WebAssembly (core specification, section 5.5): its id and its content. */
export interface Section {
  readonly id: number;
  readonly content: Uint8Array;
}

/** Ids of sections. */
export const FUNCTIONS = 3;
export const CODE = 10;

/** Bytes of the magic number and the version. */
const HEADER_BYTES = 8;

interface Reader {
  readonly bytes: Uint8Array;
  position: number;
}

/** Reads an unsigned number in LEB128. */
const readNumber = (reader: Reader): number => {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = reader.bytes[reader.position++];
    if (byte === undefined) throw new Error('The module of WebAssembly is truncated');
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
};

const readBytes = (reader: Reader, length: number): Uint8Array => {
  const bytes = reader.bytes.subarray(reader.position, reader.position + length);
  reader.position += length;
  return bytes;
};

export const numberBytes = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...numberBytes(Math.floor(value / 0x80))];

const withLength = (bytes: Uint8Array): readonly Uint8Array[] => [
  Uint8Array.from(numberBytes(bytes.length)),
  bytes,
];

/** Reads what follows a number that says how many there are. */
const readVector = <T>(content: Uint8Array, readOne: (reader: Reader) => T): T[] => {
  const reader = { bytes: content, position: 0 };
  return Array.from({ length: readNumber(reader) }, () => readOne(reader));
};

export const readSections = (module: Uint8Array): Section[] => {
  const reader = { bytes: module, position: HEADER_BYTES };
  const sections: Section[] = [];
  while (reader.position < module.length) {
    const [id = 0] = readBytes(reader, 1);
    sections.push({ id, content: readBytes(reader, readNumber(reader)) });
  }
  return sections;
};

/** @param header a module that starts with the same magic number and version */
export const writeModule = (header: Uint8Array, sections: readonly Section[]): Uint8Array =>
  Buffer.concat([
    header.subarray(0, HEADER_BYTES),
    ...sections.flatMap(({ id, content }) => [Uint8Array.of(id), ...withLength(content)]),
  ]);

/** The number of the type of each function. */
export const readTypes = (functions: Uint8Array): number[] => readVector(functions, readNumber);

export const writeTypes = (types: readonly number[]): Uint8Array =>
  Uint8Array.from([types.length, ...types].flatMap(numberBytes));

/** The body of each function. */
export const readBodies = (code: Uint8Array): Uint8Array[] =>
  readVector(code, (reader) => readBytes(reader, readNumber(reader)));

export const writeBodies = (bodies: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat([Uint8Array.from(numberBytes(bodies.length)), ...bodies.flatMap(withLength)]);

export const contentOf = (sections: readonly Section[], wanted: number): Uint8Array => {
  const section = sections.find(({ id }) => id === wanted);
  if (!section) throw new Error(`The module of WebAssembly has no section ${wanted}`);
  return section.content;
};
