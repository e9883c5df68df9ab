import type { RouteName } from './routes';

/** What each operation does. Only the OpenAPI document has these texts, so that the first load of a page has not. */
export const DESCRIPTIONS: Readonly<Record<RouteName, string>> = {
  uploadFile:
    'Stores an image or a video as a new task and anonymises it. The response comes when the task is done, or with `x-is-async` when the file is queued, and contains the id of the task and the addresses of its results.',
  getAnonymised:
    'The image with all selected objects anonymised, as JPEG or PNG. It is refused until the task is done, and for uploads with `method=detect`.',
  getBinaryMask:
    'A PNG of the image that is white where objects are anonymised and black elsewhere. It exists only if the service saves binary masks.',
  getInstanceMask:
    'A PNG of the image in which each anonymised object has the colour that is its `color` in the metadata. It exists only if the service saves instance masks.',
  getMetadata:
    'The objects that were detected in an image, each with class, score and box, and the size of the image.',
  getAnonymisedVideo:
    'The video with all selected objects anonymised, as MP4 (H.264). It is refused until the task is done, and for uploads with `method=detect`.',
  getVideoMetadata:
    'The objects of each frame from `start_frame` to `end_frame`, each with class, score and box. A range that the video does not have is refused.',
  getReport:
    'A JSON report with SHA-256 and size of source and result, models, parameters, counts, edits and warnings. It is signed if the service has a key; `download`, `quality` and `compress-level` name the download that it describes.',
  getReportPage: 'The facts of the JSON report as an HTML page, with the same parameters.',
  getOpenApi:
    'This document, for generators of clients and other tools. It has a second address: `/openapi.json`.',
  getStatus:
    'The time of the service, the version of the API and the status `RUNNING`. It responds also while files are processed.',
  listTasks:
    'The records of all tasks, newest first. With `limit` the response is one page, and its header `Link` has the address of the next one.',
  deleteAllTasks:
    'Deletes all tasks with their files, or with `delete-scope=only-files` their files alone. It is refused without `confirm=true`.',
  getTask:
    'The record of a task: status, progress, times, and the error if it failed. Poll it until `status` is `done`, `failed` or `deleted`.',
  deleteTask:
    'Deletes a task with its files, or with `delete-scope=only-files` its files alone. A task that is queued or processed is stopped.',
  getEdits:
    'The edits that the result contains; the lists are empty at first. The header `ETag` is for `If-Match` in a later change.',
  putEdits:
    'Replaces all earlier edits and renders the result from the stored upload, without a detector. The response comes when the result is replaced, or with `x-is-async` when the edits are queued; edits that fail change nothing.',
  stopEdits:
    'Stops edits that wait or run. The result stays as it is, and `stopped` states whether there was anything to stop.',
  getCandidates:
    'All objects that the detectors found in an image, also those whose score is below the threshold. Edits refer to them by `id`.',
  watchTask:
    'Server-sent events: each is the record of the task as JSON, sent at once and after each change. The stream ends when the task and its edits have ended.',
  getDecisions:
    'What persons decided about single objects and places of a file, each with its time and its reviewer.',
  putDecisions:
    'Replaces the list of what persons decided about single objects and places; a decision that was in the list keeps its time and reviewer. The report contains the list, and the result stays as it is.',
  createSubject:
    'Creates a subject from photos that each show the face of one person. Uploads and edits that name its id in `show` do not anonymise this face; the photos are not kept.',
  listSubjects:
    'The subjects, each with its id, its time and its number of photos. No biometric data is returned.',
  getSubject: 'One subject with its time and its number of photos. No biometric data is returned.',
  deleteSubject:
    'Deletes a subject and its biometric data. Tasks that name it and have not ended fail; finished results stay as they are.',
};
