import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** Folder of the files for operators of clusters. */
export const SAMPLES = join(import.meta.dirname, '../../../docs/operate/cluster');

export const readSample = (file: string): string => readFileSync(join(SAMPLES, file), 'utf8');

const documentsOf = (file: string): unknown[] =>
  parseAllDocuments(readSample(file), { merge: true }).map((each) => each.toJS() as unknown);

/** A service of `compose.yaml`. */
export interface ComposeService {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly user?: string;
}

export const readCompose = (): Readonly<Record<string, ComposeService>> =>
  (documentsOf('compose.yaml')[0] as { readonly services: Readonly<Record<string, ComposeService>> })
    .services;

interface Probe {
  readonly httpGet?: { readonly path: string };
}

/** A container of a pod in `kubernetes/veil.yaml`. */
interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
  }[];
  readonly livenessProbe?: Probe;
}

interface Pod {
  readonly containers: readonly Container[];
  readonly automountServiceAccountToken?: boolean;
}

interface Manifest {
  readonly spec?: { readonly template?: { readonly spec?: Pod } };
}

/** The pods of `kubernetes/veil.yaml`. */
export const readPods = (): readonly Pod[] =>
  (documentsOf('kubernetes/veil.yaml') as Manifest[]).flatMap(({ spec }) => spec?.template?.spec ?? []);
