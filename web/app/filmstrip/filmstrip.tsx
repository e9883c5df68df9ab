import { useEffect, useRef, type ReactElement } from 'react';
import { isVideo, type Picture } from '../../state/pictures';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import { FilePicker } from '../ui/file-picker';
import { Icon } from '../ui/icons';
import styles from './filmstrip.module.css';
import { Thumbnail } from './thumbnail';

const Progress = ({ pictures }: { readonly pictures: readonly Picture[] }): ReactElement => {
  const text = useMessages().pictures;
  const failed = pictures.filter(({ status }) => status === 'failed').length;
  const done = pictures.filter(({ status }) => status === 'done').length;
  return (
    <p className={styles['progress']} data-testid="batch-progress">
      {text.progress(done, pictures.length, pictures.some(isVideo))}
      {failed > 0 && <span className={styles['failed']}>{text.failedCount(failed)}</span>}
    </p>
  );
};

/** All pictures in a row, with what became of each. */
export const Filmstrip = (): ReactElement => {
  const text = useMessages().pictures;
  const { store } = useServices();
  const { pictures, selectedId } = useAppState();
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => {
    const current = list.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selectedId]);

  return (
    <section className={styles['filmstrip']} aria-label={text.list}>
      <div className={styles['head']}>
        <Progress pictures={pictures} />
        <Button look="quiet" onClick={() => store.send({ type: 'cleared' })}>
          {text.clear}
        </Button>
      </div>
      <div className={styles['row']}>
        <FilePicker
          render={(open) => (
            <button
              type="button"
              className={styles['add']}
              aria-label={text.add}
              title={text.add}
              onClick={open}
            >
              <Icon name="add" size={24} />
            </button>
          )}
        />
        <ul ref={list} className={styles['list']}>
          {pictures.map((picture) => (
            <Thumbnail key={picture.id} picture={picture} isSelected={picture.id === selectedId} />
          ))}
        </ul>
      </div>
    </section>
  );
};
