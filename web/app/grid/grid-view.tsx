import { useState, type ReactElement } from 'react';
import { chooseAll, NOTHING_SELECTED, withoutRemoved, type Selection } from '../../state/selection';
import { BatchActions, BatchProgress } from '../library/batch';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import { FilePicker } from '../ui/file-picker';
import { Grid } from './grid';
import { useLoaded } from '../ui/use-loaded';
import styles from './grid.module.css';

const loadDialog = () => import('./export-dialog');

/** Actions for the selected files, or for all files if none is selected. */
const ChosenActions = ({
  selection,
  onSelect,
  onRemove,
  onExport,
}: {
  readonly selection: Selection;
  onSelect(selection: Selection): void;
  onRemove(): void;
  onExport(): void;
}): ReactElement => {
  const messages = useMessages();
  const text = messages.grid;
  const { store } = useServices();
  const { items } = useAppState();
  const { ids } = selection;
  const hasChosen = ids.size > 0;
  const chooseAllOrNone = (): void =>
    onSelect(
      hasChosen
        ? NOTHING_SELECTED
        : chooseAll(
            selection,
            items.map(({ id }) => id),
          ),
    );
  return (
    <div className={`row ${styles['toolbar']}`} role="group" aria-label={text.actions}>
      <p role="status">{hasChosen ? text.selected(ids.size) : text.noneSelected}</p>
      <Button variant="quiet" onClick={chooseAllOrNone}>
        {hasChosen ? text.selectNone : text.selectAll}
      </Button>
      <Button variant="quiet" disabled={!hasChosen} onClick={() => store.send({ type: 'retried-some', ids })}>
        {text.reprocess}
      </Button>
      <Button variant="quiet" disabled={!hasChosen} onClick={onRemove}>
        {text.remove}
      </Button>
      <FilePicker
        render={(open) => (
          <Button variant="quiet" onClick={open}>
            {messages.files.add}
          </Button>
        )}
      />
      <Button onClick={onExport}>{hasChosen ? text.exportSelected(ids.size) : text.exportAll}</Button>
    </div>
  );
};

/** All files as a grid, in which several can be selected, exported, processed again or removed. */
export const GridView = ({ onOpen }: { readonly onOpen: () => void }): ReactElement => {
  const messages = useMessages();
  const { store } = useServices();
  const { items } = useAppState();
  const [chosen, setChosen] = useState(NOTHING_SELECTED);
  const [isExporting, setExporting] = useState(false);
  const dialog = useLoaded(isExporting, loadDialog, () => setExporting(false));
  const selection = withoutRemoved(
    chosen,
    items.map(({ id }) => id),
  );
  const { ids } = selection;
  const exported = ids.size > 0 ? items.filter(({ id }) => ids.has(id)) : items;
  const remove = (): void => store.send({ type: 'removed-some', ids });
  const open = (id: string): void => {
    store.send({ type: 'selected', id });
    onOpen();
  };
  return (
    <section className={styles['view']} aria-label={messages.files.list}>
      <div>
        <div className={`row ${styles['toolbar']}`}>
          <BatchProgress items={items} />
          <BatchActions />
        </div>
        <ChosenActions
          selection={selection}
          onSelect={setChosen}
          onRemove={remove}
          onExport={() => setExporting(true)}
        />
      </div>
      <Grid selection={selection} onSelect={setChosen} onOpen={open} onRemove={remove} />
      {dialog && <dialog.ExportDialog items={exported} onClose={() => setExporting(false)} />}
    </section>
  );
};
