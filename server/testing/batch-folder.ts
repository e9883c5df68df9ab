import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Engine } from '#shared/ports/host-engine';
import { createFakeEngine, type DuringWork } from '#shared/testing/fake-engine';
import { createFakeVideoEngine, type FakeVideo } from '#shared/testing/fake-video-engine';
import { createFakeLog, type FakeLog } from '#shared/testing/fake-system';
import { RAMP_JPEG } from '#shared/testing/ramp-images';
import { createJsonReport } from '../batch/start-batch';
import { runBatch, type Outcome } from '../batch/run-batch';
import type { WatchClock } from '../batch/watch';
import { parseCommand } from '../cli/cli';
import type { BatchConfig } from '../cli/config';
import { temporaryFolder } from './temporary-folder';

/** A line of the JSON report. */
export interface Line {
  readonly event: string;
  readonly input?: string;
  readonly error?: string;
  readonly [fact: string]: unknown;
}

interface Parts {
  /** Null: none, as with `--suffix`. */
  readonly output?: string | null;
  readonly during?: DuringWork;
  /** Result of the engine for every video. */
  readonly video?: FakeVideo;
  readonly stop?: AbortController;
  /** Called in each pause of `--watch`. It is no time in truth; the run is stopped after the last one. */
  readonly pauses?: readonly (() => void)[];
  readonly changes?: Partial<BatchConfig>;
}

interface Run {
  readonly isDone: boolean;
  readonly outcome: Outcome;
  readonly log: FakeLog;
  /** Number of images and videos that the engine processed. */
  readonly processed: number;
  readonly end: Line;
  readonly failed: readonly Line[];
  readonly of: (event: string) => Line[];
}

export interface BatchFolder {
  /** The path of a file or folder in the temporary folder. */
  readonly at: (...names: string[]) => string;
  /** Output folder of runs that do not set one. */
  readonly output: string;
  /** Writes a file. @returns its path */
  readonly write: (name: string, content?: Uint8Array | string) => string;
  /** Runs batch mode with an engine that detects one object of each class in every image, and a face in every video. */
  readonly run: (args: readonly string[], parts?: Parts) => Promise<Run>;
}

/** All files of a folder, without the manifest and the plans. */
export const filesOf = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.veil-batch'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.includes('.veil-plans/'))
    .sort();

const countingEngine = ({ during, video }: Parts, onFile: () => void): Engine => {
  const fake = createFakeEngine(during);
  const { anonymiseVideo } = createFakeVideoEngine(video ?? { frameCount: 3 });
  return {
    ...fake,
    takesVideo: true,
    anonymiseImage: (...args) => {
      onFile();
      return fake.anonymiseImage(...args);
    },
    anonymiseVideo: (...args) => {
      onFile();
      return anonymiseVideo(...args);
    },
  };
};

const batchConfig = (args: readonly string[]): BatchConfig => {
  const command = parseCommand([...args, '--workers', '1']);
  if (command.kind !== 'batch') throw new Error('no files are named');
  return command.config;
};

/** A clock that moves only in pauses. */
const createFakeClock = (pauses: readonly (() => void)[], stop: AbortController): WatchClock => {
  let now = 0;
  const waiting = [...pauses];
  return {
    elapsedMs: () => now,
    pause: async (ms) => {
      now += ms;
      const next = waiting.shift();
      if (next) next();
      else stop.abort('SIGINT');
    },
  };
};

/** Creates a folder that is deleted after the test. */
export const createBatchFolder = (): BatchFolder => {
  const folder = temporaryFolder();
  const at = (...names: string[]): string => join(folder, ...names);
  return {
    at,
    output: at('out'),
    write: (name, content = RAMP_JPEG) => {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
      return at(name);
    },
    run: async (args, parts = {}) => {
      const { output = at('out'), stop = new AbortController(), changes } = parts;
      const lines: Line[] = [];
      let processed = 0;
      const engine = countingEngine(parts, () => (processed += 1));
      const log = createFakeLog();
      const config = { ...batchConfig([...args, ...(output === null ? [] : ['-o', output])]), ...changes };
      const report = createJsonReport((line) => lines.push(JSON.parse(line) as Line), config);
      const clock = createFakeClock(parts.pauses ?? [], stop);
      const outcome = await runBatch(config, { engine, log, report, clock }, stop.signal);
      const of = (event: string): Line[] => lines.filter((line) => line.event === event);
      return {
        isDone: outcome === 'done',
        outcome,
        log,
        processed,
        end: of('end')[0]!,
        failed: of('failed'),
        of,
      };
    },
  };
};
