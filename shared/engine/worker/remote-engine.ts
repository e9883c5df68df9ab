import type { EngineMethods } from '../../ports/engine';
import type { RemoteCall } from './connection';
import { withOffer } from './offered-files';
import { transferring } from './sent-values';
import type { ServedEngine } from './serve-engine';

/** The methods of an engine that a worker serves. Bytes of images move to the worker. */
export const remoteEngine = (call: RemoteCall<ServedEngine>): EngineMethods => ({
  load: (...args) => call('load', ...args),
  anonymiseImage: (job, ...rest) => call('anonymiseImage', transferring(job, [job.bytes]), ...rest),
  anonymiseVideo: (job, files, ...rest) =>
    withOffer(files, (offered) => call('anonymiseVideo', job, offered, ...rest)),
  surveyVideo: (limits, files, signal) =>
    withOffer(files, (offered) => call('surveyVideo', limits, offered, signal)),
  renderVideo: (job, files, ...rest) =>
    withOffer(files, (offered) => call('renderVideo', job, offered, ...rest)),
  outlineObjects: (bytes, ...rest) => call('outlineObjects', transferring(bytes, [bytes]), ...rest),
  embedSample: (bytes, ...rest) => call('embedSample', transferring(bytes, [bytes]), ...rest),
  matchFaces: (bytes, ...rest) => call('matchFaces', transferring(bytes, [bytes]), ...rest),
  matchTracks: (job, files, signal) =>
    withOffer(files, (offered) => call('matchTracks', job, offered, signal)),
  renderImage: (job, signal) => call('renderImage', transferring(job, [job.bytes]), signal),
  renderMask: (...args) => call('renderMask', ...args),
});
