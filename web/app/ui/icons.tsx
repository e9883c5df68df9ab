import * as lucide from 'lucide-react';
import type { ReactElement } from 'react';

/** By what they stand for; only those that are named here become part of the page. */
const ICONS = {
  add: lucide.Plus,
  camera: lucide.Camera,
  close: lucide.X,
  download: lucide.Download,
  trash: lucide.Trash2,
  eye: lucide.Eye,
  boxes: lucide.Fullscreen,
  minus: lucide.Minus,
  fit: lucide.Maximize,
  sun: lucide.Sun,
  moon: lucide.Moon,
  auto: lucide.Contrast,
  lock: lucide.Lock,
  warning: lucide.TriangleAlert,
  check: lucide.Check,
  help: lucide.CircleQuestionMark,
  play: lucide.Play,
  drawBox: lucide.SquarePlus,
  pause: lucide.Pause,
  pencil: lucide.Pencil,
  pointer: lucide.MousePointer2,
  rectangle: lucide.RectangleHorizontal,
  ellipse: lucide.Ellipse,
  brush: lucide.Brush,
  keep: lucide.ShieldCheck,
  undo: lucide.Undo2,
  redo: lucide.Redo2,
  grid: lucide.LayoutGrid,
  one: lucide.Image,
  range: lucide.MoveHorizontal,
  drag: lucide.ChevronsLeftRight,
} as const satisfies Record<string, lucide.LucideIcon>;
export type IconName = keyof typeof ICONS;

/** A drawing beside words, or on a button that has a name: hidden from screen readers. */
export const Icon = ({
  name,
  size = 20,
}: {
  readonly name: IconName;
  readonly size?: number;
}): ReactElement => {
  const Drawing = ICONS[name];
  return <Drawing size={size} aria-hidden="true" focusable="false" />;
};

export const Logo = (): ReactElement => (
  <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <circle cx="16" cy="16" r="12" fill="var(--accent)" />
    <rect x="1" y="11.500" width="30" height="7.500" rx="2" fill="var(--text)" />
  </svg>
);
