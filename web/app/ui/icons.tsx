import {
  Brush,
  Camera,
  Check,
  ChevronsLeftRight,
  CircleQuestionMark,
  Contrast,
  Download,
  Ellipse,
  Eye,
  Fullscreen,
  Image,
  LayoutGrid,
  Lock,
  Maximize,
  Minus,
  Moon,
  MousePointer2,
  MoveHorizontal,
  Pause,
  Pencil,
  Play,
  Plus,
  RectangleHorizontal,
  Redo2,
  ShieldCheck,
  SquarePlus,
  Sun,
  Trash2,
  TriangleAlert,
  Undo2,
  X,
  type LucideIcon,
} from 'lucide-react';
import type { ReactElement } from 'react';

/** By what they stand for; only those that are named here become part of the page. */
const ICONS = {
  add: Plus,
  camera: Camera,
  close: X,
  download: Download,
  trash: Trash2,
  eye: Eye,
  boxes: Fullscreen,
  minus: Minus,
  fit: Maximize,
  sun: Sun,
  moon: Moon,
  auto: Contrast,
  lock: Lock,
  warning: TriangleAlert,
  check: Check,
  help: CircleQuestionMark,
  play: Play,
  drawBox: SquarePlus,
  pause: Pause,
  pencil: Pencil,
  pointer: MousePointer2,
  rectangle: RectangleHorizontal,
  ellipse: Ellipse,
  brush: Brush,
  keep: ShieldCheck,
  undo: Undo2,
  redo: Redo2,
  grid: LayoutGrid,
  one: Image,
  range: MoveHorizontal,
  drag: ChevronsLeftRight,
} as const satisfies Record<string, LucideIcon>;
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
