import type { ReactElement } from 'react';
import { boundsOf, cornersOf } from '#shared/domain/hidden-areas';
import type { AlwaysHidden, ItemEdits } from '../../state/edit-history';
import { timeRangeOf, withHiddenChanged, withTimes } from '../../state/video-edits';
import { useMessages } from '../messages';
import { IconButton } from '../ui/button';
import { MethodSelect, ReasonSelect } from '../ui/selects';
import type { NamedCrop } from './listed-tracks';
import { ObjectRow } from './track-row';
import type { Playhead } from './use-playback';
import styles from './video.module.css';

const nameOf = ({ key, start = 0 }: AlwaysHidden): string => `area ${key} ${start}`;

export const cropsOfHidden = ({ hides = [] }: ItemEdits): readonly NamedCrop[] =>
  hides.map((area) => ({ name: nameOf(area), atS: area.start ?? 0, box: boundsOf(cornersOf(area)) }));

/** A second, or to the moment in view. */
const MIN_RANGE_S = 1;

const withMethod = (
  { method: _before, ...area }: AlwaysHidden,
  method: AlwaysHidden['method'],
): AlwaysHidden => (method ? { ...area, method } : area);

const withReason = ({ reason: _before, ...area }: AlwaysHidden, reason: string | undefined): AlwaysHidden =>
  reason ? { ...area, reason } : area;

interface HiddenProps {
  readonly edits: ItemEdits;
  readonly urls: ReadonlyMap<string, string>;
  readonly playhead: Playhead;
  readonly onEdit: (edits: ItemEdits) => void;
}

const HiddenRow = ({
  area,
  edits,
  urls,
  playhead,
  onEdit,
}: HiddenProps & { readonly area: AlwaysHidden }): ReactElement => {
  const { video } = useMessages();
  const text = video.always;
  const { key, start = 0, method } = area;
  const range = timeRangeOf(area);
  const end = range?.end === undefined ? video.range.untilEnd : video.range.until(range.end);
  const span = range ? `${video.range.from(start)} ${end}` : text.whole;
  const change = (map: ((area: AlwaysHidden) => AlwaysHidden) | undefined): void =>
    onEdit(withHiddenChanged(edits, key, map));
  return (
    <ObjectRow
      thumbnailUrl={urls.get(nameOf(area))}
      target={{ name: text.goTo(span), atS: start }}
      playhead={playhead}
      range={range}
      rangeName={text.range}
      add={{
        label: text.add(span),
        title: text.add(span),
        range: (nowS) => ({ start: nowS, end: nowS + MIN_RANGE_S }),
      }}
      onRange={(next) => change((one) => withTimes(one, next))}
      more={<IconButton icon="trash" label={text.remove(span)} onClick={() => change(undefined)} />}
      data-testid="always-hidden"
    >
      <span className={`option ${styles['label']}`}>
        <MethodSelect
          label={text.method(span)}
          value={method}
          onChoose={(chosen) => change((one) => withMethod(one, chosen))}
        />
        <ReasonSelect
          label={text.reason(span)}
          value={area.reason}
          onChoose={(chosen) => change((one) => withReason(one, chosen))}
        />
      </span>
    </ObjectRow>
  );
};

/** The areas of a video that are hidden whatever is there, with their times and methods. */
export const HiddenList = (props: HiddenProps): ReactElement | null => {
  const text = useMessages().video.always;
  const { hides = [] } = props.edits;
  if (hides.length === 0) return null;
  return (
    <>
      <h3 className="title">{text.list}</h3>
      <ul className={styles['list']}>
        {hides.map((area) => (
          <HiddenRow key={area.key} {...props} area={area} />
        ))}
      </ul>
    </>
  );
};
