import { changeElements, element } from '../../../server/testing/matroska-surgery';
import { attack, bytesOf, filled, join, many, repeated, type Attack } from './attack';

const BYTES = 900_000;
const IDS = {
  segment: '18538067',
  info: '1549a966',
  tracks: '1654ae6b',
  track: 'ae',
  cluster: '1f43b675',
  cues: '1c53bb6b',
  seekHead: '114d9b74',
  tags: '1254c367',
} as const;

/** An element with a size of as few bytes as possible. */
const small = (id: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const bytes = join(...content);
  if (bytes.byteLength > 126) return element(id, bytes);
  return join(Buffer.from(id, 'hex'), Uint8Array.of(0x80 | bytes.byteLength), bytes);
};
const number = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
/** An element of unknown size. */
const open = (id: string, ...content: readonly Uint8Array[]): Uint8Array =>
  join(Buffer.from(id, 'hex'), Uint8Array.of(0xff), ...content);
/** @param flags 0x80 for a key frame; 2, 4 and 6 for several frames */
const block = (flags: number, ...data: readonly number[]): Uint8Array =>
  small('a3', Uint8Array.of(0x81, 0, 0, flags, ...data));
const nested = (id: string, levels: number): Uint8Array => {
  const head = Buffer.from(id, 'hex');
  const length = head.byteLength + 4;
  return many(levels, (level) => join(head, number((0x1000_0000 | ((levels - level - 1) * length)) >>> 0)));
};

const addTo = (clip: Uint8Array, wanted: string, ...added: readonly Uint8Array[]): Uint8Array =>
  changeElements(clip, (id, content) => (id === wanted ? join(content, ...added) : undefined));
const inFront = (clip: Uint8Array, wanted: string, ...added: readonly Uint8Array[]): Uint8Array =>
  changeElements(clip, (id, content) => (id === wanted ? join(...added, content) : undefined));
const clusterAt = (time: number, ...content: readonly Uint8Array[]): Uint8Array =>
  small(IDS.cluster, small('e7', number(time)), ...content);

const cuePoint = (time: number): Uint8Array =>
  small('bb', small('b3', number(time)), small('b7', small('f7', Uint8Array.of(1)), small('f1', number(40))));

const parts = (clip: Uint8Array): Attack[] => [
  ...Object.entries(IDS).flatMap(([name, id]) => [
    attack(`mkv: ${name} of no size in the segment`, addTo(clip, IDS.segment, repeated(small(id)))),
    attack(`mkv: ${name} of no size in front`, inFront(clip, IDS.segment, repeated(small(id)))),
    attack(`mkv: ${name} of no size in tracks`, addTo(clip, IDS.tracks, repeated(small(id)))),
    attack(`mkv: ${name} of no size in clusters`, addTo(clip, IDS.cluster, repeated(small(id)))),
    attack(`mkv: ${name} of unknown size`, addTo(clip, IDS.segment, repeated(open(id)))),
  ]),
  ...[IDS.info, IDS.tracks, IDS.track, IDS.cluster, IDS.segment].flatMap((where) => [
    attack(`mkv: empty void elements in ${where}`, addTo(clip, where, repeated(small('ec')))),
    attack(
      `mkv: cues in ${where}`,
      addTo(
        clip,
        where,
        many(50_000, (at) => cuePoint(at % 2)),
      ),
    ),
    attack(
      `mkv: seek entries in ${where}`,
      addTo(
        clip,
        where,
        repeated(small('4dbb', small('53ab', Buffer.from(IDS.seekHead, 'hex')), small('53ac', number(0)))),
      ),
    ),
  ]),
  attack(
    'mkv: cues',
    inFront(
      clip,
      IDS.segment,
      element(
        IDS.cues,
        many(50_000, () => cuePoint(0)),
      ),
    ),
  ),
  attack(
    'mkv: a seek head that leads to itself',
    inFront(
      clip,
      IDS.segment,
      element(
        IDS.seekHead,
        repeated(small('4dbb', small('53ab', Buffer.from(IDS.seekHead, 'hex')), small('53ac', number(0)))),
      ),
    ),
  ),
  ...['ae', '7373', '67c8', 'a0', 'e1', '6d80', '6240', '75a1', '61a7'].flatMap((id) => [
    attack(`mkv: nested ${id} in tags`, addTo(clip, IDS.segment, element(IDS.tags, nested(id, 60_000)))),
    attack(`mkv: nested ${id} in tracks`, addTo(clip, IDS.tracks, nested(id, 60_000))),
    attack(`mkv: nested ${id} in a cluster`, addTo(clip, IDS.cluster, nested(id, 60_000))),
  ]),
  attack(
    'mkv: tags',
    addTo(
      clip,
      IDS.segment,
      element(IDS.tags, repeated(small('7373', small('67c8', small('45a3', Uint8Array.of(65)))))),
    ),
  ),
  attack(
    'mkv: tracks',
    addTo(
      clip,
      IDS.tracks,
      many(30_000, (at) =>
        small(
          'ae',
          small('d7', number(at + 9)),
          small('83', Uint8Array.of(2)),
          small('86', Buffer.from('A_OPUS')),
        ),
      ),
    ),
  ),
  attack(
    'mkv: bytes that each block begins with',
    addTo(
      clip,
      IDS.track,
      element(
        '6d80',
        element('6240', element('5034', small('4254', Uint8Array.of(3)), element('4255', filled(BYTES)))),
      ),
    ),
  ),
  attack(
    'mkv: steps of coding',
    addTo(
      clip,
      IDS.track,
      element(
        '6d80',
        repeated(small('6240', small('5034', small('4254', Uint8Array.of(3)), small('4255', filled(8))))),
      ),
    ),
  ),
  attack(
    'mkv: a long header',
    join(
      element(
        '1a45dfa3',
        element(
          '4282',
          filled(BYTES, () => 97),
        ),
      ),
      clip.subarray(40),
    ),
  ),
];

const clusters = (clip: Uint8Array): Attack[] => [
  attack(
    'mkv: blocks without data',
    addTo(clip, IDS.segment, element(IDS.cluster, small('e7', number(500)), repeated(block(0x80)))),
  ),
  attack(
    'mkv: blocks of one byte',
    addTo(clip, IDS.segment, element(IDS.cluster, small('e7', number(500)), repeated(block(0x80, 0)))),
  ),
  ...[0x82, 0x84, 0x86].flatMap((flags) => [
    attack(
      `mkv: 256 frames in empty blocks, ${flags}`,
      addTo(clip, IDS.segment, element(IDS.cluster, small('e7', number(500)), repeated(block(flags, 255)))),
    ),
    attack(
      `mkv: 256 frames of a byte in blocks, ${flags}`,
      addTo(
        clip,
        IDS.segment,
        element(
          IDS.cluster,
          small('e7', number(500)),
          repeated(
            element(
              'a3',
              Uint8Array.of(0x81, 0, 0, flags, 255),
              filled(512, () => 1),
            ),
          ),
        ),
      ),
    ),
    attack(
      `mkv: two frames in blocks, ${flags}`,
      addTo(
        clip,
        IDS.segment,
        element(IDS.cluster, small('e7', number(500)), repeated(block(flags, 1, 1, 1, 1))),
      ),
    ),
    attack(
      `mkv: two frames in groups, ${flags}`,
      addTo(
        clip,
        IDS.segment,
        element(
          IDS.cluster,
          small('e7', number(500)),
          repeated(small('a0', small('a1', Uint8Array.of(0x81, 0, 0, flags, 1, 1, 1, 1)))),
        ),
      ),
    ),
  ]),
  attack(
    'mkv: empty groups',
    addTo(clip, IDS.segment, element(IDS.cluster, small('e7', number(500)), repeated(small('a0')))),
  ),
  attack('mkv: clusters without blocks', addTo(clip, IDS.segment, repeated(clusterAt(500)))),
  attack('mkv: clusters of one block', addTo(clip, IDS.segment, repeated(clusterAt(500, block(0x80, 1))))),
  attack(
    'mkv: clusters whose time goes back',
    addTo(
      clip,
      IDS.segment,
      many(45_000, (at) => clusterAt(90_000 - at, block(0x80, 1))),
    ),
  ),
  attack(
    'mkv: clusters of unknown size',
    join(clip, repeated(open(IDS.cluster, small('e7', number(1)), block(0x80, 1)))),
  ),
  attack(
    'mkv: a cluster of unknown size with all others in it',
    addTo(clip, IDS.segment, open(IDS.cluster, repeated(block(0x80, 1)))),
  ),
];

/** Attacks on the readers of Matroska and WebM. @param clip whose elements all have a size */
export const matroskaAttacks = (clip: Uint8Array): Attack[] => [
  ...parts(clip),
  ...clusters(clip),
  attack('mkv: nothing changed', bytesOf(clip)),
];
