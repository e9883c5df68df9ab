import type { ObjectClass } from '#shared/catalogue/classes';
import type { IconName } from '../ui/icons';

/** Action of a press on the image in the editor. */
export const TOOLS = ['select', 'box', 'ellipse', 'brush', 'always', 'keep'] as const;
export type Tool = (typeof TOOLS)[number];

export const TOOL_ICONS = {
  select: 'pointer',
  box: 'rectangle',
  ellipse: 'ellipse',
  brush: 'brush',
  always: 'always',
  keep: 'keep',
} as const satisfies Record<Tool, IconName>;

/** Keys that select a tool while the image has the focus. */
export const TOOL_KEYS: Readonly<Record<string, Tool>> = {
  v: 'select',
  r: 'box',
  c: 'ellipse',
  p: 'brush',
  a: 'always',
  k: 'keep',
};

/** State of the editor that stays when another image is selected. */
export interface ReviewOptions {
  readonly isOn: boolean;
  readonly tool: Tool;
  /** Class of drawn areas. */
  readonly drawnClass: ObjectClass;
  /** Radius of the brush, as a share of the image's longer side. */
  readonly brushShare: number;
}

export const BRUSH_SHARES = [0.005, 0.01, 0.02, 0.04, 0.08] as const;

export const INITIAL_REVIEW: ReviewOptions = {
  isOn: false,
  tool: 'select',
  drawnClass: 'face',
  brushShare: 0.02,
};
