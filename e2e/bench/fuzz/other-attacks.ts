import { attack, filled, join, repeated, type Attack } from './attack';

const BYTES = 900_000;
const EXTREMES = [0, 1, 7, 8, 0x7fff_ffff, 0x8000_0000, 0xffff_fff8, 0xffff_ffff];
const word = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const text = (characters: string): Uint8Array => Buffer.from(characters, 'latin1');

const FILE_PROPERTIES = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex');
const ASF = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex');

/** Attacks on the headers that are read of files which are converted: AVI and ASF. */
export const otherAttacks = (): Attack[] => [
  ...EXTREMES.flatMap((size) => [
    attack(
      `avi: chunks of ${size} bytes`,
      join(text('RIFF'), word(size), text('AVI '), repeated(join(text('abcd'), word(size)))),
    ),
    attack(
      `avi: lists of ${size} bytes`,
      join(text('RIFF'), word(size), text('AVI '), repeated(join(text('LIST'), word(size), text('strl')))),
    ),
    attack(
      `avi: ${size} frames`,
      join(
        text('RIFF'),
        word(size),
        text('AVI '),
        text('strh'),
        word(56),
        text('vids'),
        filled(28),
        word(size),
        filled(BYTES),
      ),
    ),
    attack(
      `asf: objects of ${size} bytes`,
      join(
        ASF,
        filled(14),
        repeated(
          join(
            filled(16, () => 7),
            word(size),
            word(size),
          ),
        ),
      ),
    ),
    attack(`asf: properties of ${size}`, join(ASF, filled(14), FILE_PROPERTIES, repeated(word(size)))),
  ]),
];
