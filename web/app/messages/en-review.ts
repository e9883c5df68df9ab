import type { Tool } from '../review/tools';
import { format } from './en-format';

export interface ToolWords {
  readonly name: string;
  readonly title: string;
  readonly hint: string;
}

/** Words of the editor. */
export const englishReview = {
  edit: 'Edit',
  editTitle: 'Change what is hidden (E)',
  bar: 'Edit',
  tools: {
    select: {
      name: 'Select',
      title: 'Select (V)',
      hint: 'Choose an object to change it.',
    },
    box: {
      name: 'Hide a rectangle',
      title: 'Hide a rectangle (R)',
      hint: 'Drag over what is to be hidden, or press Enter to place it.',
    },
    ellipse: {
      name: 'Hide an ellipse',
      title: 'Hide an ellipse (C)',
      hint: 'Drag over what is to be hidden, or press Enter to place it.',
    },
    brush: {
      name: 'Hide with a brush',
      title: 'Hide with a brush (P)',
      hint: 'Paint over what is to be hidden, or press Enter to place a dot.',
    },
    keep: {
      name: 'Leave an area alone',
      title: 'Leave an area alone (K)',
      hint: 'Drag over what is to be left alone, or press Enter to place it.',
    },
  } as Readonly<Record<Tool, ToolWords>>,
  undo: 'Undo',
  undoTitle: 'Undo (Ctrl+Z)',
  redo: 'Redo',
  redoTitle: 'Redo (Ctrl+Shift+Z)',
  drawnClass: 'What it is',
  brushSize: 'Size of the brush',
  hidden: 'Hidden',
  objectClass: 'What it is',
  objectMethod: 'How it is hidden',
  sameMethod: 'As the others',
  delete: 'Delete',
  deleteTitle: 'Delete (Del)',
  keptArea: 'Left alone',
  drawnObject: (name: string) => `${name}, drawn`,
  switchedOff: (label: string) => `${label}, not hidden`,
  copy: (count: number) => `Copy areas to ${format.many(count, 'picture', 'pictures')}`,
  copyTitle: 'Draw the same areas in all pictures of this size',
  changing: 'Changing …',
  forAll: {
    button: 'For all …',
    buttonTitle: 'Hide all objects of this kind the same way, in all pictures',
    title: (kind: string) => `${kind} in all pictures`,
    visible: 'Leave visible',
    changes: (objects: number, pictures: number) =>
      objects === 0
        ? 'changes nothing'
        : `changes ${format.many(objects, 'object', 'objects')} in ${format.many(pictures, 'picture', 'pictures')}`,
    searched: (count: number) => `${format.many(count, 'file is', 'files are')} searched again`,
    others:
      'Videos, and pictures that a server worked on, stay as they are. Pictures that are added later are hidden like this, too.',
    apply: (pictures: number) => `Change ${format.many(pictures, 'picture', 'pictures')}`,
    done: (pictures: number) => `Changed in ${format.many(pictures, 'picture', 'pictures')}.`,
    undo: 'Undo for all',
  },
  said: {
    switched: (name: string, isOff: boolean) => `${name}: ${isOff ? 'not hidden' : 'hidden'}`,
    changed: (name: string) => `${name}: changed`,
    deleted: (name: string) => `${name}: deleted`,
    drawn: 'Area hidden',
    kept: 'Area left alone',
    copied: 'Areas copied',
    undone: 'Undone',
    redone: 'Redone',
  },
};

export type ReviewMessages = typeof englishReview;
