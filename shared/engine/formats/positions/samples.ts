import { corruptStructure } from '../../../domain/failure';
import { viewOf } from '../bytes';
import { boxesIn, FULL_BOX_BYTES, type Mp4Box } from '../mp4-boxes';

/** A sample of a track: where its bytes are, and when it counts, in units of the track. */
interface Mp4Sample {
  readonly at: number;
  readonly byteLength: number;
  readonly time: number;
  readonly duration: number;
}

/** Ten hours of positions and motion, some hundred times a second. */
const MAX_SAMPLES = 2 ** 23;
/** Version, flags, number of entries. */
const TABLE_HEAD_BYTES = FULL_BOX_BYTES + 4;

/** Reads the numbers of a table's entries. */
interface Table {
  readonly count: number;
  /** @param field of the entry, from 0 */
  readonly number: (entry: number, field: number) => number;
}

const tableOf = (bytes: Uint8Array, box: Mp4Box | undefined, fields: number): Table => {
  if (!box) throw corruptStructure();
  const view = viewOf(bytes);
  const start = box.start + TABLE_HEAD_BYTES;
  const count = view.getUint32(start - 4);
  if (count * fields * 4 > box.end - start) throw corruptStructure();
  return { count, number: (entry, field) => view.getUint32(start + (entry * fields + field) * 4) };
};

/** Sizes of the samples. @returns their number, and the bytes of each */
const sizesOf = (bytes: Uint8Array, box: Mp4Box | undefined): [number, (sample: number) => number] => {
  if (!box) throw corruptStructure();
  const view = viewOf(bytes);
  const start = box.start + FULL_BOX_BYTES;
  const [all, count] = [view.getUint32(start), view.getUint32(start + 4)];
  if (count > MAX_SAMPLES || (all === 0 && count * 4 > box.end - start - 8)) throw corruptStructure();
  return [count, all === 0 ? (sample) => view.getUint32(start + 8 + sample * 4) : () => all];
};

/** Times and durations of the samples in order. */
function* timesOf({ count, number }: Table): Generator<readonly [time: number, duration: number], undefined> {
  let time = 0;
  for (let run = 0; run < count; run++) {
    const [samples, duration] = [number(run, 0), number(run, 1)];
    for (let i = 0; i < samples; i++, time += duration) yield [time, duration];
  }
  return undefined;
}

/** Offsets of the chunks, and the samples in each. */
function* chunksOf(runs: Table, offsets: (chunk: number) => number, count: number) {
  let run = 0;
  for (let chunk = 0; chunk < count; chunk++) {
    if (run + 1 < runs.count && runs.number(run + 1, 0) === chunk + 1) run++;
    yield [offsets(chunk), runs.number(run, 1)] as const;
  }
}

/**
 * The samples of a track that is neither video nor audio, which the demuxer leaves out.
 *
 * @param bytes of a movie's index that was checked
 * @param stbl the box with the tables
 * @throws UnreadableFile where the tables contradict each other; RangeError
 */
export function* samplesIn(bytes: Uint8Array, stbl: Mp4Box): Generator<Mp4Sample> {
  const boxes = new Map([...boxesIn(bytes, stbl.start, stbl.end)].map((box) => [box.type, box]));
  const [samples, sizeOf] = sizesOf(bytes, boxes.get('stsz'));
  const long = boxes.get('co64');
  const chunks = tableOf(bytes, long ?? boxes.get('stco'), long ? 2 : 1);
  const runs = tableOf(bytes, boxes.get('stsc'), 3);
  const offset = (chunk: number): number =>
    long ? chunks.number(chunk, 0) * 2 ** 32 + chunks.number(chunk, 1) : chunks.number(chunk, 0);
  if (runs.count === 0) return;
  const times = timesOf(tableOf(bytes, boxes.get('stts'), 2));
  let sample = 0;
  for (const [start, inChunk] of chunksOf(runs, offset, chunks.count)) {
    let at = start;
    for (let i = 0; i < inChunk && sample < samples; i++, sample++) {
      const { value } = times.next();
      if (!value) throw corruptStructure();
      const [time, duration] = value;
      const byteLength = sizeOf(sample);
      yield { at, byteLength, time, duration };
      at += byteLength;
    }
  }
  if (sample < samples) throw corruptStructure();
}
