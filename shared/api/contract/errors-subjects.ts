/** Errors of subjects, the persons who stay visible: a part of the table of errors. */
export const SUBJECT_ERRORS = {
  unknown_subject: { status: 404, sentence: () => 'There is no subject with this id.' },
  subjects_disabled: {
    status: 403,
    sentence: () =>
      'This service does not recognise persons: it was started with `--no-subjects`, and hides all faces.',
  },
  unknown_shown_subject: {
    status: 422,
    sentence: () => '`show` must be the id of a subject, and there is none with this id.',
  },
  no_photo: {
    status: 422,
    sentence: (maxPhotos: number) =>
      `The request contains no photo: send 1 to ${maxPhotos} photos, each in a part named \`fileobject\`.`,
  },
  too_many_photos: {
    status: 422,
    sentence: (count: number, maxPhotos: number) =>
      `The request contains ${count} photos: send at most ${maxPhotos}.`,
  },
  photo_without_face: {
    status: 422,
    sentence: (photo: number) => `Photo ${photo} shows no face: send photos of the person's face.`,
  },
  photo_with_faces: {
    status: 422,
    sentence: (photo: number, faces: number) =>
      `Photo ${photo} shows ${faces} faces: send photos that show only one person.`,
  },
  photo_of_small_face: {
    status: 422,
    sentence: (photo: number, sidePx: number, minPx: number) =>
      `The face in photo ${photo} is too small: it has ${sidePx} pixels, and at least ${minPx} are needed.`,
  },
  photo_of_turned_face: {
    status: 422,
    sentence: (photo: number) =>
      `The face in photo ${photo} is seen from the side: send photos that show it from the front.`,
  },
  subject_gone: { status: 422, sentence: (reason: string) => reason },
} as const;
