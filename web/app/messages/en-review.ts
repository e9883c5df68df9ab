import type { Tool } from '../review/tools';
import { format } from './en-format';

export interface ToolTexts {
  readonly name: string;
  readonly title: string;
  readonly hint: string;
}

/** Texts of the image editor. */
export const englishReview = {
  edit: 'Edit',
  editTitle: 'Change what is hidden (E)',
  bar: 'Edit',
  tool: 'Tool',
  tools: {
    select: {
      name: 'Select',
      title: 'Select (V)',
      hint: 'Select an object to change it.',
    },
    box: {
      name: 'Hide a rectangle',
      title: 'Hide a rectangle (R)',
      hint: 'Drag over the area to hide, or press Enter to place a rectangle.',
    },
    ellipse: {
      name: 'Hide an ellipse',
      title: 'Hide an ellipse (C)',
      hint: 'Drag over the area to hide, or press Enter to place an ellipse.',
    },
    brush: {
      name: 'Hide with a brush',
      title: 'Hide with a brush (P)',
      hint: 'Paint over the area to hide, or press Enter to place a dot.',
    },
    keep: {
      name: 'Keep an area visible',
      title: 'Keep an area visible (K)',
      hint: 'Drag over the area to keep visible, or press Enter to place a rectangle.',
    },
  } as Readonly<Record<Tool, ToolTexts>>,
  undo: 'Undo',
  undoTitle: 'Undo (Ctrl+Z)',
  redo: 'Redo',
  redoTitle: 'Redo (Ctrl+Shift+Z)',
  drawnClass: 'Object type',
  brushSize: 'Brush size',
  hidden: 'Hidden',
  objectClass: 'Object type',
  objectMethod: 'Method',
  sameMethod: 'As in the settings',
  delete: 'Delete',
  deleteTitle: 'Delete (Del)',
  keptArea: 'Visible area',
  drawnObject: (name: string) => `${name}, drawn`,
  switchedOff: (label: string) => `${label}, not hidden`,
  copy: (count: number) => `Copy areas to ${format.many(count, 'image', 'images')}`,
  copyTitle: 'Copy the drawn areas to all images of the same size',
  changing: 'Applying the edits …',
  notApplied: 'The edits could not be applied. They are kept: try again.',
  uncertain: {
    button: 'Uncertain',
    title: 'Decide about uncertain objects one by one (F2)',
    count: (count: number) => format.number(count),
  },
  forAll: {
    button: 'For all …',
    buttonTitle: 'Hide all objects of this type in all images in the same way',
    title: (kind: string) => `${kind} in all images`,
    visible: 'Keep visible',
    changes: (objects: number, images: number) =>
      objects === 0
        ? 'no changes'
        : `changes ${format.many(objects, 'object', 'objects')} in ${format.many(images, 'image', 'images')}`,
    reprocessed: (count: number) => `${format.many(count, 'file is', 'files are')} processed again`,
    others:
      'Does not change videos, or images of a server that is no longer selected. Applies to images that you add later.',
    apply: (images: number) => `Change ${format.many(images, 'image', 'images')}`,
    done: (images: number) => `Changed in ${format.many(images, 'image', 'images')}.`,
    undo: 'Undo for all',
  },
  announcements: {
    switched: (name: string, isOff: boolean) => `${name}: ${isOff ? 'not hidden' : 'hidden'}`,
    changed: (name: string) => `${name}: changed`,
    deleted: (name: string) => `${name}: deleted`,
    drawn: 'Area hidden',
    kept: 'Area kept visible',
    copied: 'Areas copied',
    undone: 'Undone',
    redone: 'Redone',
  },
};

export type ReviewMessages = typeof englishReview;
