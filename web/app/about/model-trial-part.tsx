import { useRef, type ReactElement } from 'react';
import { acceptedFiles, IMAGE_SOURCE_FORMATS } from '#shared/catalogue/formats';
import { countObjects, isVideo } from '../../state/media-item';
import type { TrialStatus } from '../../state/own-models';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { readableBackend } from '../shell/readable-backend';
import { Button } from '../ui/button';
import about from './about.module.css';
import styles from './add-model.module.css';
import { TrialPicture } from './trial-picture';
import { Notice } from '../ui/notice';

interface TrialPartProps {
  readonly trial: TrialStatus;
  /** Whether the model's classes are known. */
  readonly isNamed: boolean;
}

/** The selected file, if it is an image. */
const usePictureInView = (): File | undefined => {
  const { pictures, selectedId } = useAppState();
  const picture = pictures.find(({ id }) => id === selectedId);
  return picture && !isVideo(picture) && picture.status !== 'failed' ? picture.file : undefined;
};

/** Buttons that select the image to test the model with. */
const TryButtons = ({ isDisabled }: { readonly isDisabled: boolean }): ReactElement => {
  const text = useMessages().ownModels;
  const { ownModels, makeTestPicture } = useServices();
  const inView = usePictureInView();
  const input = useRef<HTMLInputElement>(null);
  const tryOn = (picture: File): void => void ownModels.try(() => Promise.resolve(picture));
  return (
    <div className={about['actions']}>
      {inView && (
        <Button disabled={isDisabled} onClick={() => tryOn(inView)}>
          <span className={styles['name']}>{text.tryInView(inView.name)}</span>
        </Button>
      )}
      <input
        ref={input}
        type="file"
        accept={acceptedFiles(IMAGE_SOURCE_FORMATS)}
        hidden
        data-testid="trial-input"
        onChange={({ currentTarget }) => {
          const [picture] = currentTarget.files ?? [];
          if (picture) tryOn(picture);
          currentTarget.value = '';
        }}
      />
      <Button disabled={isDisabled} onClick={() => input.current?.click()}>
        {text.tryOn}
      </Button>
      {!inView && (
        <Button disabled={isDisabled} onClick={() => void ownModels.try(makeTestPicture)}>
          {text.tryTest}
        </Button>
      )}
    </div>
  );
};

/** Tests a model on an image, shows its detections, and only then offers to use it. */
export const ModelTrialPart = ({ trial, isNamed }: TrialPartProps): ReactElement => {
  const messages = useMessages();
  const text = messages.ownModels;
  const { ownModels } = useServices();
  const isBusy = trial.kind === 'running' || trial.kind === 'keeping';
  const tried = trial.kind === 'tried' ? trial.trial : undefined;
  return (
    <>
      <p className={about['note']}>{text.tryHint}</p>
      <TryButtons isDisabled={!isNamed || isBusy} />
      <Notice variant="line" role="status" data-testid="model-found">
        {isBusy
          ? text.trying
          : tried &&
            text.tried(
              messages.objectCounts(countObjects(tried.objects)),
              tried.seconds,
              messages.engine.backend(readableBackend(tried.backend)),
            )}
      </Notice>
      {tried?.objects.length === 0 && (
        <Notice variant="line" isWarning>
          {text.nothingFound}
        </Notice>
      )}
      <Notice variant="line" isWarning role="alert">
        {trial.kind === 'refused' && text.refusals[trial.refusal]}
      </Notice>
      {trial.kind === 'tried' && <TrialPicture picture={trial.picture} trial={trial.trial} />}
      <div className={about['actions']}>
        <Button variant="primary" disabled={!tried} onClick={() => void ownModels.use()}>
          {text.use}
        </Button>
        <Button onClick={ownModels.discard}>{text.discard}</Button>
      </div>
    </>
  );
};
