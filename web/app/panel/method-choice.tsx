import type { ReactElement } from 'react';
import { METHODS, type Method } from '#shared/catalogue/methods';
import { useMessages } from '../messages';
import { Segments } from '../ui/segments';

/** Drawing of a face hidden by each method. */
const SWATCHES = {
  blur: (
    <>
      <filter id="swatch-blur" x="-50%" y="-50%" width="200%" height="200%">
        <feGaussianBlur stdDeviation="2.4" />
      </filter>
      <g filter="url(#swatch-blur)">
        <circle cx="16" cy="16" r="9" fill="#e2a883" />
        <path d="M7 15a9 9 0 0118 0q-9-5-18 0z" fill="#4b332d" />
      </g>
    </>
  ),
  pixelate: (
    <g shapeRendering="crispEdges">
      <path d="M8 8h16v16H8z" fill="#e2a883" />
      <path d="M8 8h16v4H8zM12 12h4v4h-4z" fill="#5c3f35" />
      <path d="M20 12h4v4h-4zM8 20h4v4H8zM16 16h4v4h-4z" fill="#cf8f6c" />
      <path d="M16 8h4v4h-4z" fill="#7a5a4b" />
    </g>
  ),
  blacken: <circle cx="16" cy="16" r="9" fill="#14110f" />,
  detect: (
    <>
      <circle cx="16" cy="17" r="7" fill="#e2a883" />
      <path d="M9 16a7 7 0 0114 0q-7-4-14 0z" fill="#4b332d" />
      <path d="M7 7h18v19H7z" fill="none" stroke="#ffb224" strokeWidth="2" />
    </>
  ),
} as const satisfies Record<Method, ReactElement>;

/** Selects how objects are hidden. */
export const MethodChoice = ({
  method,
  onChange,
}: {
  readonly method: Method;
  readonly onChange: (method: Method) => void;
}): ReactElement => {
  const messages = useMessages();
  return (
    <Segments
      legend={messages.panel.method}
      look="wide"
      options={METHODS.map((value) => ({
        value,
        name: messages.methods[value],
        drawing: (
          <svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true">
            <rect width="32" height="32" rx="5" fill="#b9d2d0" />
            {SWATCHES[value]}
          </svg>
        ),
      }))}
      value={method}
      onChoose={onChange}
    />
  );
};
