import { serve } from '#shared/engine/worker/connection';
import type { Message, Port } from '#shared/engine/worker/messages';
import { endProcessGroup } from './process-group';
import { serveProcess } from './serve-process';

/** The host at the other end of the channel that this process was started with. */
const host: Port = {
  postMessage: (message) =>
    // An error means that the host has ended.
    void process.send?.(message, undefined, {}, (error) => error && end()),
  addEventListener: (_type, listener) => void process.on('message', (data: Message) => listener({ data })),
};

/** Without its host nobody wants its work. Programs that it started end with it. */
const end = (): void => endProcessGroup(process.pid);
process.on('disconnect', end);

const { announceEnd } = serve(host, {
  ...serveProcess(() => {
    announceEnd('stuck', 'An aborted step did not end.');
    setImmediate(end);
  }),
});
