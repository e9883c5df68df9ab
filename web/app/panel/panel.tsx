import type { ReactElement } from 'react';
import { hasUnappliedEdits, isStale, isVideo, type MediaItem } from '../../state/media-item';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import type { Playhead } from '../video/use-playback';
import { SubjectButton } from '../subjects/subject-button';
import { TracksSection } from '../video/tracks-section';
import { ClassChoice, ParameterTicks, QualityChoice, MethodChoice } from './choices';
import { ClassMethods, Thresholds } from './thresholds';
import { Downloads, ForAllNotice } from './downloads';
import { RemovedMetadata } from './removed-metadata';
import styles from './panel.module.css';

/** Settings for all files, and the buttons to apply and download. */
export const Panel = ({
  picture,
  playhead,
}: {
  readonly picture: MediaItem | undefined;
  readonly playhead: Playhead;
}): ReactElement => {
  const text = useMessages().panel;
  const { store } = useServices();
  const { pictures, settings } = useAppState();
  const stale = pictures.filter((other) => isStale(other, settings) || hasUnappliedEdits(other));
  const canApply = stale.length > 0 && settings.classes.length > 0;
  return (
    <aside className={`card ${styles['panel']}`} aria-label={text.title}>
      <div className={styles['settings']}>
        <ClassChoice picture={picture} />
        <MethodChoice />
        <ClassMethods />
        <SubjectButton />
        <QualityChoice />
        <Thresholds picture={picture} />
        {pictures.some(isVideo) && <ParameterTicks on="videos" />}
        {picture?.result?.video && picture.result.hasPicture && (
          <TracksSection key={picture.id} picture={picture} result={picture.result} playhead={playhead} />
        )}
        {picture && !isVideo(picture) && <RemovedMetadata picture={picture} />}
      </div>
      <div className={`stack ${styles['actions']}`}>
        <Button
          className={styles['apply']}
          variant={canApply ? 'primary' : 'secondary'}
          disabled={!canApply}
          onClick={() => store.send({ type: 'applied' })}
        >
          {canApply ? text.applyTo(stale.length, stale.some(isVideo)) : text.apply}
        </Button>
        <ForAllNotice stale={stale} />
        <Downloads picture={picture} pictures={pictures} isFirstChoice={!canApply} />
      </div>
    </aside>
  );
};
