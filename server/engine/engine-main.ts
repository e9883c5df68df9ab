import type { FromHost } from './messages';
import { answerHost } from './process-calls';
import { endProcessGroup } from './spawn-engine';
import { serveProcess } from './serve-process';

/** Without its host nobody wants its work. Programs that it started end with it. */
const end = (): void => endProcessGroup(process.pid);
process.on('disconnect', end);

const serve = serveProcess(() => void setImmediate(end)); // after the answer to `stuck`

const take = answerHost(
  serve,
  // An error means that the host has ended.
  (message) => void process.send?.(message, undefined, {}, (error) => error && end()),
);
process.on('message', (message: FromHost) => take(message));
