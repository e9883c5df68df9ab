import { format } from './en-format';

/** Texts of the dialogs about the person who stays visible. They are loaded with the dialogs. */
export const englishSubjects = {
  title: 'Keep one person visible',
  lead: 'Faces that are similar to the sample photos stay visible in all files. All other faces are hidden. If the comparison is uncertain, the face is hidden.',
  consent: 'Get the consent of this person first: a comparison of faces processes biometric data.',
  local: 'Photos and biometric data stay in this tab and are deleted when it is closed.',
  onServer: (address: string) =>
    `Files are processed by the server ${address}: the photos are sent to it. It stores the biometric data until you deselect the server or close this tab.`,
  advice: 'Use at least five different photos that show only this person. One photo is often not enough.',
  photos: 'Sample photos',
  photo: (index: number) => `Sample photo ${format.number(index)}`,
  addPhotos: 'Add photos',
  removePhoto: (index: number) => `Remove sample photo ${format.number(index)}`,
  noPhotos: 'No photos yet.',
  lost: 'The sample photos of an earlier visit are no longer available.',
  start: 'Keep this person visible',
  starting: 'Comparing …',
  stop: 'Hide everyone again',
  unreachable: 'The photos could not be processed. Try again.',
  checkFrames:
    'The photos were taken from the video. Remove all photos that do not show this person: where people cross, one object may contain two of them.',
  span: (from: number, until: number) => `${format.tenths(from)}\u00a0–\u00a0${format.tenths(until)}`,
  visibleAt: (spans: readonly string[], more: number) =>
    `Visible as the chosen person: ${format.facts(spans)}${more > 0 ? ` and ${format.many(more, 'more time', 'more times')}` : ''}`,
  noCrop: 'The browser cannot show this file. Add photos of the person instead.',
  visible: {
    title: 'Faces that will be visible',
    lead: 'These faces are not hidden in the files that you export. Check that each face belongs to the person of the sample, or was made visible on purpose.',
    reading: 'Reading the results …',
    none: 'No face will be visible.',
    sample: 'Sample',
    face: (file: string) => `Visible face in ${file}`,
    confidence: (share: number) => `Similarity ${format.percent(share)}`,
    byHand: 'Made visible by hand',
    hide: 'Hide',
    hideIn: (file: string) => `Hide the face in ${file}`,
    cannotHide: 'This result cannot be edited. Hide everyone in the settings, or process the file again.',
    waiting: 'Applying the edits …',
    failed: 'The results could not be read. Nothing was exported.',
    exportNow: 'Export',
  },
};

export type SubjectMessages = typeof englishSubjects;
