import { describe, expect, it } from 'vitest';
import type { ModelEntry } from '../../domain/manifest';
import { createFakeSystem } from '../../testing/fake-system';
import { modelEntry } from '../../testing/fake-models';
import type { InferenceSession, SessionOptions, Tensor } from '../../ports/inference';
import { createSessions } from './sessions';

const FILE = Uint8Array.of(1, 2, 3, 4);
const system = createFakeSystem();
const entryFor = async (file: Uint8Array): Promise<ModelEntry> => ({
  ...modelEntry('faces', 'centerface', ['face']),
  sha256: await system.sha256(file),
  bytes: file.byteLength,
});
const tensor = (value: number): Tensor => ({ data: Float32Array.of(value), dims: [1] });

/** Ports that count, and whose reads a test answers. */
const portsWith = (
  read: (file: string) => Promise<Uint8Array>,
  outputs: Readonly<Record<string, Tensor>> = {},
  models: readonly ModelEntry[] = [],
) => {
  const counts = { reads: 0, sessions: 0 };
  const inputs: Readonly<Record<string, Tensor>>[] = [];
  const wanted: (readonly string[] | undefined)[] = [];
  const options: (SessionOptions | undefined)[] = [];
  const session: InferenceSession = {
    run: async (given, names) => {
      inputs.push(given);
      wanted.push(names);
      return outputs;
    },
    close: async () => undefined,
  };
  const sessions = createSessions({
    system,
    manifest: { models },
    modelFiles: {
      read: async (file, onProgress) => {
        counts.reads += 1;
        onProgress?.(1);
        return read(file);
      },
    },
    runtime: {
      backend: 'fake',
      parallelRuns: 2,
      createSession: async (_model, asked) => {
        counts.sessions += 1;
        options.push(asked);
        return session;
      },
    },
  });
  return { sessions, session, counts, inputs, wanted, options };
};

/** The largest number of runs at once, of four that are started together. */
const runsAtOnce = async (values: number): Promise<number> => {
  const { sessions, session } = portsWith(async () => FILE, { first: tensor(1), second: tensor(2) });
  const { run } = session;
  let [running, highest] = [0, 0];
  session.run = async (...given) => {
    highest = Math.max(highest, ++running);
    const outputs = await run(...given);
    running -= 1;
    return outputs;
  };
  const model = await sessions.get(await entryFor(FILE));
  const input: Tensor = { data: new Float32Array(values), dims: [values] };
  await Promise.all(Array.from({ length: 4 }, async () => model.run(() => input)));
  return highest;
};

describe('a model', () => {
  it('runs two small inputs at once, but one large one, whose run takes much memory', async () => {
    expect(await runsAtOnce(3 * 640 * 480)).toBe(2);
    expect(await runsAtOnce(3 * 1024 * 768)).toBe(1);
  });

  it('is read once and gets one session, also if it is requested again while it loads', async () => {
    const { sessions, counts } = portsWith(async () => FILE);
    const entry = await entryFor(FILE);
    const [first, second] = await Promise.all([sessions.get(entry), sessions.get(entry)]);
    expect(second).toBe(first);
    expect(await sessions.get(entry)).toBe(first);
    expect(counts).toEqual({ reads: 1, sessions: 1 });
  });

  it('shares the cores among its runs if it is for persons or vehicles, which need many', async () => {
    const { sessions, options } = portsWith(async () => FILE);
    const entry = await entryFor(FILE);
    await sessions.get(entry);
    await sessions.get({ ...entry, id: 'outlines', classes: ['vehicle'] });
    expect(options.map((one) => one?.runsAtOnce)).toEqual([1, 2]);
  });

  it.each([
    ['of another content', Uint8Array.of(1, 2, 3, 5)],
    ['cut short', FILE.subarray(0, 3)],
    ['with something behind it', Uint8Array.of(1, 2, 3, 4, 5)],
  ])('whose file is %s never reaches the runtime', async (_name, bytes) => {
    const { sessions, counts } = portsWith(async () => bytes);
    await expect(sessions.get(await entryFor(FILE))).rejects.toThrow(
      'faces.onnx is damaged or was exchanged',
    );
    expect(counts.sessions).toBe(0);
  });

  it('that could not be loaded is tried again at the next request', async () => {
    const answers = [
      () => Promise.reject(new Error('disk asleep')),
      async () => Uint8Array.of(9),
      async () => FILE,
    ];
    const { sessions, counts } = portsWith(() => answers.shift()!());
    const entry = await entryFor(FILE);
    await expect(sessions.get(entry)).rejects.toThrow('disk asleep');
    await expect(sessions.get(entry)).rejects.toThrow('damaged');
    await expect(sessions.get(entry)).resolves.toMatchObject({ entry });
    expect(counts).toEqual({ reads: 3, sessions: 1 });
  });

  it('reports the share that has been read', async () => {
    const { sessions } = portsWith(async () => FILE);
    const shares: number[] = [];
    await sessions.get(await entryFor(FILE), (share) => shares.push(share));
    expect(shares).toEqual([1]);
  });

  it('gets its input by name, and returns its outputs in the manifest’s order', async () => {
    const { sessions, inputs } = portsWith(async () => FILE, {
      second: tensor(2),
      extra: tensor(3),
      first: tensor(1),
    });
    const model = await sessions.get(await entryFor(FILE));
    const outputs = await model.run(() => tensor(7));
    expect(outputs.map(({ data }) => data[0])).toEqual([1, 2]);
    expect(inputs).toEqual([{ image: tensor(7) }]);
  });

  it('is asked only for the outputs that its head reads, because others would be copied needlessly', async () => {
    const { sessions, wanted } = portsWith(async () => FILE, { first: tensor(1), second: tensor(2) });
    await (await sessions.get(await entryFor(FILE))).run(() => tensor(7));
    expect(wanted).toEqual([['first', 'second']]);
  });

  it('that needs the features of another model gets the image through that model', async () => {
    const trunk = { ...(await entryFor(FILE)), id: 'trunk' };
    const reader: ModelEntry = {
      ...(await entryFor(FILE)),
      id: 'reader',
      input: { ...trunk.input, name: 'features' },
      features: { model: 'trunk', output: 'inner' },
      outputs: ['second'],
    };
    const outputs = { first: tensor(1), second: tensor(2), inner: tensor(3) };
    const { sessions, inputs, wanted, counts } = portsWith(async () => FILE, outputs, [trunk, reader]);
    const model = await sessions.get(reader);
    expect(model.entry).toBe(reader);
    expect(await model.run(() => tensor(7))).toEqual([tensor(2)]);
    expect(inputs).toEqual([{ image: tensor(7) }, { features: tensor(3) }]);
    expect(wanted).toEqual([['inner'], ['second']]);
    await sessions.get(trunk);
    expect(counts.sessions).toBe(2);
    const orphan = await portsWith(async () => FILE)
      .sessions.get(reader)
      .catch((error: unknown) => error);
    expect(orphan).toMatchObject({
      message: 'model reader needs features of trunk, which the manifest does not contain',
    });
  });

  it('without an output that its head reads is an error, not an empty result', async () => {
    const { sessions } = portsWith(async () => FILE, { first: tensor(1) });
    const model = await sessions.get(await entryFor(FILE));
    await expect(model.run(() => tensor(7))).rejects.toThrow('model faces has no output second');
  });
});
