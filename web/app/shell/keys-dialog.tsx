import type { ReactElement } from 'react';
import about from '../about/about.module.css';
import { useKeyMessages } from '../messages/keys';
import { Dialog } from '../ui/dialog';
import { Checkbox } from '../ui/inputs';

interface KeysDialogProps {
  readonly onClose: () => void;
  /** Whether the question mark key opens this dialog. */
  readonly hasKey: boolean;
  readonly setHasKey: (hasKey: boolean) => void;
}

/** A link to the guide, and the list of keyboard shortcuts. */
export const KeysDialog = ({ onClose, hasKey, setHasKey }: KeysDialogProps): ReactElement => {
  const text = useKeyMessages();
  return (
    <Dialog title={text.title} onClose={onClose}>
      {/* In a tab of its own, so that the files of this one stay open. */}
      <a href={text.guideFile} target="_blank">
        {text.guide}
      </a>
      {text.groups.map(({ title, keys }) => (
        <section key={title} className={about['section']}>
          <h3>{title}</h3>
          <dl className={about['keys']}>
            {keys.map(([names, action]) => (
              <div key={action}>
                <dt>
                  {names.map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dt>
                <dd>{action}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Checkbox checked={hasKey} variant={setHasKey}>
        {text.hasKey}
      </Checkbox>
    </Dialog>
  );
};
