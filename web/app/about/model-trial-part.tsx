import { useRef, type ReactElement } from 'react';
import { acceptedFiles, IMAGE_SOURCE_FORMATS } from '#shared/catalogue/formats';
import { countObjects, isVideo } from '../../state/media-item';
import type { TrialStatus } from '../../state/own-models';
import type { ModelTrial } from '../../workers/model-trial';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { readableBackend } from '../shell/readable-backend';
import { FileInput } from '../ui/file-picker';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { Boxes } from '../stage/boxes';
import { useDisplayable, useObjectUrl } from '../stage/use-files';
import { useSize } from '../stage/use-size';
import about from './about.module.css';

/** More boxes would cover the image and make the page slow. */
const MAX_BOXES = 200;
const TALLEST_PX = 320;

/** The test image with the boxes of the model's detections. */
const TrialImage = ({
  image,
  trial: { objects, width, height },
}: {
  readonly image: File;
  readonly trial: ModelTrial;
}): ReactElement => {
  const text = useMessages().ownModels;
  const url = useObjectUrl(useDisplayable(image));
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const shown = objects.slice(0, MAX_BOXES).map(({ objectClass, score, box: { x1, y1, x2, y2 } }, id) => ({
    id,
    objectClass,
    score,
    x: x1,
    y: y1,
    width: x2 - x1,
    height: y2 - y1,
  }));
  return (
    <div
      ref={frame}
      className={about['picture']}
      style={{ aspectRatio: `${width} / ${height}`, width: `min(100%, ${(TALLEST_PX * width) / height}px)` }}
    >
      {url && <img src={url} alt={text.image} />}
      {size && <Boxes objects={shown} image={{ width, height }} placement={{ left: 0, top: 0, ...size }} />}
    </div>
  );
};

interface TrialPartProps {
  readonly trial: TrialStatus;
  /** Whether the model's classes are known. */
  readonly isNamed: boolean;
}

/** The selected file, if it is an image. */
const useImageInView = (): File | undefined => {
  const { items, selectedId } = useAppState();
  const item = items.find(({ id }) => id === selectedId);
  return item && !isVideo(item) && item.status !== 'failed' ? item.file : undefined;
};

/** Buttons that select the image to test the model with. */
const TryButtons = ({ isDisabled }: { readonly isDisabled: boolean }): ReactElement => {
  const text = useMessages().ownModels;
  const { ownModels, makeTestImage } = useServices();
  const inView = useImageInView();
  const tryOn = (image: File): void => void ownModels.try(() => Promise.resolve(image));
  return (
    <div className="row">
      {inView && (
        <Button disabled={isDisabled} onClick={() => tryOn(inView)}>
          <span className={about['name']}>{text.tryInView(inView.name)}</span>
        </Button>
      )}
      <FileInput
        accept={acceptedFiles(IMAGE_SOURCE_FORMATS)}
        data-testid="trial-input"
        onFiles={([image]) => image && tryOn(image)}
        render={(open) => (
          <Button disabled={isDisabled} onClick={open}>
            {text.tryOn}
          </Button>
        )}
      />
      {!inView && (
        <Button disabled={isDisabled} onClick={() => void ownModels.try(makeTestImage)}>
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
      <p className="soft">{text.tryHint}</p>
      <TryButtons isDisabled={!isNamed || isBusy} />
      <Notice role="status" data-testid="model-found">
        {isBusy
          ? text.trying
          : tried &&
            text.tried(
              messages.objectCounts(countObjects(tried.objects)),
              tried.seconds,
              messages.engine.backend(readableBackend(tried.backend)),
            )}
      </Notice>
      {tried?.objects.length === 0 && <Notice isWarning>{text.nothingFound}</Notice>}
      <Notice isWarning role="alert">
        {trial.kind === 'refused' && text.refusals[trial.refusal]}
      </Notice>
      {trial.kind === 'tried' && <TrialImage image={trial.image} trial={trial.trial} />}
      <div className="row">
        <Button variant="primary" disabled={!tried} onClick={() => void ownModels.use()}>
          {text.use}
        </Button>
        <Button onClick={ownModels.discard}>{text.discard}</Button>
      </div>
    </>
  );
};
