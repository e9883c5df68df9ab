import { CONNECTION_LIMITS } from '../http/connection-limits';
import type { Flag } from './flag';
import { duration, one, size, wholeNumber } from './values';

const MAX_IDLE_DAYS = 1;
/** Node counts connections up to this number on all systems. */
const MAX_CONNECTIONS = 65_535;

/** Flags for connections and slow clients. */
export const CONNECTION_FLAGS: readonly Flag[] = [
  {
    name: 'upload-idle',
    value: '<duration>',
    help: `longest time without a byte of an upload, which is refused then (${CONNECTION_LIMITS.uploadIdleMs / 1000}s)`,
    read: one(duration(MAX_IDLE_DAYS), (uploadIdleMs) => ({ uploadIdleMs })),
  },
  {
    name: 'upload-min-rate',
    value: '<size>',
    help: `smallest number of bytes per second of an upload, over twice the time of --upload-idle (${CONNECTION_LIMITS.uploadMinBytesPerS / 1024}KiB)`,
    read: one(size, (uploadMinBytesPerS) => ({ uploadMinBytesPerS })),
  },
  {
    name: 'max-connections',
    value: '<number>',
    help: `maximum number of open connections; requests on further ones are refused (${CONNECTION_LIMITS.maxConnections})`,
    read: one(wholeNumber(1, MAX_CONNECTIONS), (maxConnections) => ({ maxConnections })),
  },
  {
    name: 'max-event-streams',
    value: '<number>',
    help: `maximum number of clients that follow tasks by an event stream; further ones are refused (${CONNECTION_LIMITS.maxEventStreams})`,
    read: one(wholeNumber(1, MAX_CONNECTIONS), (maxEventStreams) => ({ maxEventStreams })),
  },
];
