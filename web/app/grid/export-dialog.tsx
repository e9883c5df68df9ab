import { useState, type ReactElement } from 'react';
import type { MediaItem } from '../../state/media-item';
import { hasOutdatedResults, isSavableWith, saveAll } from '../../state/save';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Checkbox } from '../ui/inputs';
import { useVisibleCheck } from '../subjects/use-visible-check';
import { Notice } from '../ui/notice';

/** Exports files as an archive, with optional masks and metadata. */
export const ExportDialog = ({
  items,
  onClose,
}: {
  readonly items: readonly MediaItem[];
  readonly onClose: () => void;
}): ReactElement => {
  const messages = useMessages();
  const text = messages.grid;
  const { anonymiser } = useServices();
  const [extras, setExtras] = useState({
    masks: false,
    metadata: false,
    report: true,
    log: false,
  });
  const [state, setState] = useState<'idle' | 'packing' | 'failed' | 'unsigned'>('idle');
  const count = items.filter((item) => isSavableWith(item, extras)).length;
  const left = items.length - count;

  const problems = { failed: messages.panel.saveFailed, unsigned: text.exportedUnsigned };
  const problem = state === 'failed' || state === 'unsigned' ? problems[state] : undefined;

  const { check, list } = useVisibleCheck();
  const save = (checked: readonly MediaItem[]): void => {
    setState('packing');
    saveAll(checked, anonymiser, messages.panel.archiveName, extras).then(
      ({ isUnsigned }) => (isUnsigned ? setState('unsigned') : onClose()),
      () => setState('failed'),
    );
  };
  return (
    <Dialog title={text.exportTitle(items.length)} onClose={onClose}>
      <fieldset className="stack tight">
        <legend className="visually-hidden">{text.exportExtras}</legend>
        {(['masks', 'metadata', 'report', 'log'] as const).map((name) => (
          <Checkbox
            key={name}
            checked={extras[name]}
            variant={(isWanted) => setExtras((before) => ({ ...before, [name]: isWanted }))}
          >
            {text.exportExtraNames[name]}
          </Checkbox>
        ))}
      </fieldset>
      <Notice>{text.exportHint}</Notice>
      <Notice>{messages.panel.checkFirst}</Notice>
      <Notice role="status">{problem ?? (left > 0 && text.notReady(left))}</Notice>
      <Button
        variant="primary"
        disabled={count === 0 || state === 'packing' || hasOutdatedResults(items)}
        onClick={() => check(items, save)}
      >
        {state === 'packing' ? messages.panel.packing : text.exportNow(count)}
      </Button>
      {list}
    </Dialog>
  );
};
