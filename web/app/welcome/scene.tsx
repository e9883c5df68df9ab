import { useRef, type PointerEvent, type ReactElement } from 'react';
import { useMessages } from '../messages';
import styles from './welcome.module.css';

const WIDTH = 640;
const HEIGHT = 480;

interface Mosaic {
  readonly left: number;
  readonly top: number;
  readonly cell: number;
  /** A row of letters for each row of cells; a space is a cell left out. */
  readonly rows: readonly string[];
}

/** Average colours of the cells, as pixelation would produce them. */
const CELL_COLOURS: Readonly<Record<string, string>> = {
  h: '#4b332d',
  i: '#5c3f35',
  s: '#e2a883',
  t: '#d99c78',
  u: '#cf8f6c',
  e: '#a5745a',
  m: '#c57f66',
  j: '#3a7a7c',
  w: '#f0f0e8',
  g: '#c9ccc8',
  d: '#8d9492',
  k: '#a9afac',
  r: '#b4503b',
};

const FACE: Mosaic = {
  left: 115,
  top: 140,
  cell: 19,
  rows: [
    '  hhih  ',
    ' hihhih ',
    'hihihhih',
    'hhsstshi',
    'itstssti',
    'tseststu',
    'sttesetu',
    ' tsttst ',
    ' utmmst ',
    '  uttu  ',
    '   uu   ',
  ],
};
const PLATE: Mosaic = { left: 388, top: 333, cell: 16, rows: ['rwgwgwr', 'wdkgdkg', 'gkdwkdw'] };

const Cells = ({ left, top, cell, rows }: Mosaic): ReactElement => (
  <g shapeRendering="crispEdges">
    {rows.flatMap((row, y) =>
      [...row].map((letter, x) => {
        const fill = CELL_COLOURS[letter];
        if (!fill) return null;
        return (
          <rect
            key={`${x} ${y}`}
            x={left + x * cell}
            y={top + y * cell}
            width={cell}
            height={cell}
            fill={fill}
          />
        );
      }),
    )}
  </g>
);

const Street = (): ReactElement => (
  <>
    <rect width={WIDTH} height={HEIGHT} fill="#cfe3e4" />
    <circle cx="520" cy="92" r="40" fill="#fbe9c4" />
    <path d="M0 130h96v-44h84v84h60V60h104v96h72v-40h92v62h60v-34h72v250H0z" fill="#b3cfd0" />
    <path d="M0 204h64v-40h92v70h70v-96h86v70h92v54h96v-44h80v30h60v200H0z" fill="#8fb3b5" />
    <g fill="#d9ebe9">
      {[246, 276].flatMap((x) =>
        [158, 190, 222].map((y) => <rect key={`${x} ${y}`} x={x} y={y} width="16" height="18" rx="2" />),
      )}
      {[516, 546].flatMap((x) =>
        [240, 268].map((y) => <rect key={`${x} ${y}`} x={x} y={y} width="14" height="14" rx="2" />),
      )}
    </g>
    <rect y="330" width={WIDTH} height="150" fill="#6d7f82" />
    <rect y="322" width={WIDTH} height="12" fill="#dfe6e2" />
    <path d="M330 452h70M450 452h70M570 452h70" stroke="#c8d2d0" strokeWidth="6" strokeLinecap="round" />
  </>
);

const Car = (): ReactElement => (
  <g>
    <ellipse cx="443" cy="404" rx="132" ry="12" fill="#4c5b5e" />
    <rect x="338" y="372" width="42" height="34" rx="12" fill="#22292b" />
    <rect x="506" y="372" width="42" height="34" rx="12" fill="#22292b" />
    <path d="M354 284q14-66 48-72h82q34 6 48 72z" fill="#b4503b" />
    <path d="M370 280q12-50 38-55h70q26 5 38 55z" fill="#29434a" />
    <path d="M392 280l22-55h26l-24 55z" fill="#3d5c63" />
    <rect x="324" y="272" width="238" height="112" rx="34" fill="#cf6248" />
    <path d="M344 292q99-22 198 0" stroke="#df8068" strokeWidth="4" fill="none" strokeLinecap="round" />
    <ellipse cx="360" cy="318" rx="22" ry="14" fill="#fff4d4" />
    <ellipse cx="526" cy="318" rx="22" ry="14" fill="#fff4d4" />
    <rect x="398" y="306" width="90" height="16" rx="8" fill="#48231b" />
    <rect x="390" y="336" width="106" height="36" rx="5" fill="#fbfbf5" stroke="#9aa19f" strokeWidth="2" />
    <text
      x="443"
      y="361"
      textAnchor="middle"
      fontSize="21"
      fontWeight="700"
      letterSpacing="1.5"
      fill="#222a2c"
    >
      VE 1407
    </text>
  </g>
);

const Person = (): ReactElement => (
  <g>
    <path d="M44 480q4-110 92-126l20-4h70l20 4q88 16 92 126z" fill="#2f6f72" />
    <path d="M152 350l39 46 39-46-10-8h-58z" fill="#eef3ee" />
    <path d="M166 318h50v26q-25 30-50 0z" fill="#c98a68" />
    <ellipse cx="129" cy="250" rx="12" ry="18" fill="#d99c78" />
    <ellipse cx="253" cy="250" rx="12" ry="18" fill="#d99c78" />
    <path d="M131 226q0-72 60-72t60 72v38q0 74-60 80-60-6-60-80z" fill="#e4ab87" />
    <path d="M124 240q-8-100 67-102 75 2 67 102l-8 2q2-44-24-54-40 14-80-4-14 18-14 56z" fill="#4b332d" />
    <g fill="none" stroke="#4b332d" strokeWidth="5" strokeLinecap="round">
      <path d="M152 232q12-8 24-2M206 230q12-6 24 2" />
    </g>
    <circle cx="165" cy="250" r="6" fill="#2b2523" />
    <circle cx="217" cy="250" r="6" fill="#2b2523" />
    <path
      d="M191 254l-6 26h12"
      fill="none"
      stroke="#c98a68"
      strokeWidth="4"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
    <path d="M168 302q23 18 46 0" fill="none" stroke="#9c4f43" strokeWidth="6" strokeLinecap="round" />
  </g>
);

/** Before and after at a glance. The divider sweeps once and then follows the pointer. */
export const Scene = (): ReactElement => {
  const messages = useMessages();
  const figure = useRef<HTMLDivElement>(null);
  const follow = ({ clientX }: PointerEvent): void => {
    const element = figure.current;
    if (!element) return;
    const { left, width } = element.getBoundingClientRect();
    const share = Math.min(0.97, Math.max(0.03, (clientX - left) / width));
    element.style.setProperty('--split', `${share * 100}%`);
    element.dataset['followed'] = 'true';
  };
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  return (
    <div
      ref={figure}
      className={styles['scene']}
      role="img"
      aria-label={messages.welcome.scene}
      onPointerMove={follow}
    >
      <svg viewBox={viewBox} aria-hidden="true">
        <Street />
        <Car />
        <Person />
      </svg>
      <svg viewBox={viewBox} aria-hidden="true" className={styles['covered']}>
        <Cells {...FACE} />
        <Cells {...PLATE} />
      </svg>
      <span className={styles['divider']} />
    </div>
  );
};
