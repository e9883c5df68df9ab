/** The kinds of object the product hides, in the order in which reports list them. */
export const OBJECT_CLASSES = ['face', 'license-plate', 'person', 'vehicle', 'text'] as const;
export type ObjectClass = (typeof OBJECT_CLASSES)[number];

/** The classes of a service or request that names none; the others are processed only where they are named. */
export const DEFAULT_CLASSES = [
  'face',
  'license-plate',
  'person',
  'vehicle',
] as const satisfies ObjectClass[];
export type DefaultClass = (typeof DEFAULT_CLASSES)[number];

export const isDefaultClass = (name: ObjectClass): name is DefaultClass =>
  (DEFAULT_CLASSES as readonly ObjectClass[]).includes(name);

/**
 * Codes of each class in results.
 *
 * `typeCode` is `type` in the metadata (the API defines 103, Veil the others). `maskBit` is the bit in the blue channel
 * of an instance mask.
 */
export const CLASS_CODES = {
  face: { typeCode: 103, maskBit: 32 },
  'license-plate': { typeCode: 101, maskBit: 64 },
  person: { typeCode: 100, maskBit: 128 },
  vehicle: { typeCode: 102, maskBit: 16 },
  text: { typeCode: 104, maskBit: 8 },
} as const satisfies Record<ObjectClass, { typeCode: number; maskBit: number }>;
