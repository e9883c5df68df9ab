import { useState, type ReactElement } from 'react';
import type { MediaResult } from '../../state/media-item';
import { useMessages } from '../messages';
import { useReleaseTexts } from '../messages/release';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { releaseProblem } from './release-problem';

/** Says that a result waits for its release, and releases it. @param canRelease not while edits wait */
export const ReleaseNotice = ({
  result,
  canRelease,
}: {
  readonly result: MediaResult;
  readonly canRelease: boolean;
}): ReactElement => {
  const text = useReleaseTexts();
  const { said } = useMessages();
  const { anonymiser, store } = useServices();
  const [problem, setProblem] = useState('');
  const { taskId } = result;
  const release = (): void => {
    anonymiser.release(result).then(
      () => store.send({ type: 'released', taskId }),
      (cause: unknown) => setProblem(releaseProblem(cause, text)),
    );
  };
  return (
    <Notice
      variant="box"
      data-testid="release"
      actions={
        <Button disabled={!canRelease} onClick={release}>
          {text.release}
        </Button>
      }
    >
      <p>{text.waits}</p>
      {problem && <p role="alert">{said(problem)}</p>}
    </Notice>
  );
};
