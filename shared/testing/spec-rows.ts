/** A row of the contract's tables, and a pattern for the rules of the conformance cases that check it. */
export type SpecRow = readonly [row: string, rules: RegExp];

const ENDPOINTS: readonly SpecRow[] = [
  ['POST /file', /^an image upload answers with exactly/],
  ['GET /file/{id}/anonymised', /^an anonymised image comes in the format/],
  ['GET /file/{id}/video/anonymised', /^video\/anonymised is an MP4 file/],
  ['GET /file/{id}/binary-mask', /^binary-mask is a PNG/],
  ['GET /file/{id}/instance-mask', /^instance-mask is a PNG/],
  ['GET /file/{id}/metadata', /^metadata has exactly the fields/],
  ['GET /file/{id}/video/metadata', /^video\/metadata has exactly the fields/],
  ['GET /status', /^status answers with exactly/],
  ['GET /task/list', /^the task list holds/],
  ['DELETE /task/list', /^all tasks are deleted only/],
  ['GET /task/{id}', /^a task that is done has the status done/],
  ['DELETE /task/{id}', /^a deleted task is gone/],
];

/** Patterns for the cases of accepted and refused queries, whose rules contain the query. */
const accepts = (query: RegExp): RegExp => new RegExp(`^an upload accepts .*: .*${query.source}`);
const refuses = (query: RegExp): RegExp => new RegExp(`^an upload refuses .*: .*${query.source}`);

const UPLOAD_PARAMETERS: readonly SpecRow[] = [
  ['body: fileobject', /^a file under another name than fileobject/],
  ['header: x-is-async', /^an x-is-async header/],
  ['header: Idempotency-Key', /^an upload that is repeated with its Idempotency-Key/],
  ['method', accepts(/method=detect/)],
  ['method, none of the enum', refuses(/method=smudge/)],
  ['debug', accepts(/debug=/)],
  ['score', accepts(/score=/)],
  ['face', /^face=True alone/],
  ['license-plate', /^license-plate=True alone/],
  ['person', /^person=True alone/],
  ['vehicle', /^vehicle=True alone/],
  ['bbox', accepts(/bbox=/)],
  ['format, bare', accepts(/format=whole/)],
  ['format, JSON', accepts(/format=\{/)],
  ['ignores', accepts(/ignores=\[\{/)],
  ['face-threshold', refuses(/face-threshold=1\.01/)],
  ['person-threshold', refuses(/person-threshold=/)],
  ['vehicle-threshold', refuses(/vehicle-threshold=/)],
  ['license-plate-threshold', refuses(/license-plate-threshold=/)],
  ['segmentation-threshold', accepts(/segmentation-threshold=/)],
  ['no-object-tracking', accepts(/no-object-tracking=/)],
  ['keep-bit-rate', accepts(/keep-bit-rate=/)],
  ['webhook', refuses(/webhook=/)],
  ['webhook-auth-header-name', refuses(/webhook-auth-header-name=/)],
  ['webhook-auth-header-value', refuses(/webhook-auth-header-value=/)],
  ['web-auth-header-name and -value', accepts(/web-auth-header-name=/)],
];

const OTHER_PARAMETERS: readonly SpecRow[] = [
  ['download', /^download chooses the format/],
  ['quality', /^quality and compress-level are accepted at both ends/],
  ['compress-level', /^quality and compress-level are accepted at both ends/],
  ['mask-scale', /^mask-scale scales/],
  ['defaults of quality, compress-level, mask-scale', /^a download without parameters/],
  ['start_frame', /^video\/metadata of frames that do not exist/],
  ['end_frame', /^video\/metadata of frames that do not exist/],
  ['defaults of start_frame and end_frame', /all of them by default$/],
  ['confirm', /^all tasks are deleted only/],
  ['delete-scope', /^an unknown delete-scope/],
  ['delete-scope: only-files', /^only-files keeps the record/],
];

const STATES_AND_ERRORS: readonly SpecRow[] = [
  ['error: invalid request', /^an upload without a file/],
  ['error: processing error', /^an image whose pixels cannot be decoded/],
  ['error: video metadata, no video uploaded', /^video\/metadata without any video/],
  ['error: video metadata after an image', /^an image's video\/metadata/],
  ['error: mask without --save-mask', /is 404 where the service was started without/],
  ['error: synchronous while busy', /^a synchronous upload while another file/],
  ['state: queued or processing', /^a result that is not done yet/],
  ['state: done', /^an asynchronous upload is answered at once/],
  ['state: failed', /^an image whose pixels cannot be decoded/],
  ['error: video that cannot be read', /^a defective video/],
  ['state: failed, videos', /^a defective video/],
  ['state: deleted', /^only-files keeps the record/],
  ['task stopped by its deletion', /^a task that runs or waits is stopped/],
];

const LIMITS_AND_FLAGS: readonly SpecRow[] = [
  ['--api-endpoint', /^links are <base>/],
  ['-a', /^a class that the service was not started with/],
  ['--save-mask', /^only the mask that --save-mask names/],
  ['one image at a time', /^with --hold latest/],
  ['results kept until deleted', /^results are kept per task/],
  ['thresholds 0..1', accepts(/face-threshold=0&person-threshold=1/)],
  ['quality 1..100', /quality=101 is refused/],
  ['compress-level 0..9', /compress-level=10 is refused/],
  ['mask-scale 0..100', /^a mask-scale of 0 or above 100/],
];

const RELEASES: readonly SpecRow[] = [
  ['22.06.8 detect', /^method=detect gives masks/],
  ['23.10.2 object tracking and metadata of frames', /^video\/metadata has exactly the fields/],
  ['22.07.2 PNG', /^an anonymised image comes in the format/],
  ['22.09.2 status never blocks', /^status answers .* while a file is processed/],
  ['23.09.2 id is a string', /^an image upload answers with exactly/],
  ['24.01.1 underscores in answers', /^an image upload answers with exactly/],
  ['24.01.1 asynchronous processing', /^asynchronous uploads are accepted while/],
  ['24.03.1 dashes and underscores', accepts(/license_plate=/)],
  ['24.04.1 anonymised_url', /^an image upload answers with exactly/],
  ['24.04.1 missing masks are 404', /is 404 where the service was started without/],
  ['24.04.1 DELETE removes the metadata of videos', /^a deleted video is gone/],
  ['25.09.1 synchronous refused while busy', /^a synchronous upload while another file/],
  ['26.02.2 a defective video yields failed', /^a defective video/],
  ['26.04.2 synchronous never delays asynchronous', /^a synchronous upload that is processed does not delay/],
];

const FIELDS: readonly SpecRow[] = [
  ['upload answer', /^an image upload answers with exactly/],
  ['upload answer, video', /^a video upload answers with exactly/],
  ['video metadata', /^video\/metadata has exactly the fields/],
  ['image metadata', /^metadata has exactly the fields/],
  ['detection', /^metadata has exactly the fields/],
  ['color', /^color is an RGB triplet/],
  ['is_anonymised', /^is_anonymised is false with method=detect/],
  ['status answer', /^status answers with exactly/],
  ['generic result', /^a deleted task is gone/],
  ['error body', /^an unknown path is 404/],
];

/**
 * The contract's tables, row by row. Webhooks are left out, because only the server sends them:
 * `server/webhooks.test.ts` checks them.
 */
const ADDITIONS: readonly SpecRow[] = [
  ['GET /task/{id}/edits', /^the edits of a result are empty lists at first/],
  ['PUT /task/{id}/edits', /^edits answer with the links of the upload/],
  ['PUT /task/{id}/edits, video', /^a track of a video that edits show/],
  ['DELETE /task/{id}/edits', /^edits of an image that are stopped/],
  ['DELETE /task/{id}/edits, video', /^edits of a video that are stopped/],
  ['GET /task/{id}/candidates', /^candidates contain each reported object/],
  ['GET /task/{id}/events', /^edits with x-is-async are answered at once/],
  ['GET /file/{id}/report', /^the report of an image names its upload/],
  ['GET /file/{id}/report.html', /^the page of a report contains/],
  ['GET /file/{id}/report, video', /^the report of a video names its upload/],
  ['GET /task/list, limit and cursor', /^the task list with a limit gives pages/],
  ['If-Match', /^edits with another ETag in If-Match/],
  ['<class>-method', accepts(/face-method=/)],
  ['text', /^text=True alone/],
  ['text, off by default', /^text is not detected unless/],
  ['text-threshold', refuses(/text-threshold=/)],
  ['keep-metadata', accepts(/keep-metadata=/)],
  ['result-format', accepts(/result.format=/)],
  ['audio', /^audio=mute is noted/],
  ['preview', /^preview is noted/],
  ['X-Error-Code', /^an unknown path is 404/],
];

export const SPEC_ROWS: Readonly<Record<string, readonly SpecRow[]>> = {
  Endpoints: ENDPOINTS,
  'Parameters of an upload': UPLOAD_PARAMETERS,
  'Other parameters': OTHER_PARAMETERS,
  Fields: FIELDS,
  'States and errors': STATES_AND_ERRORS,
  'Limits and flags': LIMITS_AND_FLAGS,
  Releases: RELEASES,
  Additions: ADDITIONS,
};
