import type { ReactElement } from 'react';
import type { SelectedFace } from '../../state/subjects/crop-sample';
import { useServices } from '../services';
import { Button, IconButton } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { FileInput } from '../ui/file-picker';
import { Notice } from '../ui/notice';
import { PhotoView } from './photo-view';
import { useSubjectTexts } from '../messages/subjects';
import styles from './subjects.module.css';
import { useSubject, type SubjectChoice } from './use-subject';

const Photos = ({
  choice: { photos, add, remove, isBusy },
}: {
  readonly choice: SubjectChoice;
}): ReactElement => {
  const text = useSubjectTexts();
  return (
    <section className={styles['photos']} aria-label={text.photos} data-testid="subject-photos">
      {photos.length === 0 && <p>{text.noPhotos}</p>}
      <ul>
        {photos.map((photo, index) => (
          <li key={index}>
            <PhotoView photo={photo} label={text.photo(index + 1)} />
            <IconButton
              icon="trash"
              label={text.removePhoto(index + 1)}
              disabled={isBusy}
              onClick={() => remove(photo)}
            />
          </li>
        ))}
      </ul>
      <FileInput
        accept="image/*"
        multiple
        data-testid="subject-input"
        onFiles={add}
        render={(open) => (
          <Button disabled={isBusy} onClick={open}>
            {text.addPhotos}
          </Button>
        )}
      />
    </section>
  );
};

/** Sample photos of the person who stays visible in all files. */
export const SubjectDialog = ({
  faces,
  onClose,
}: {
  /** Frames of one face that become further samples. */
  readonly faces: readonly SelectedFace[];
  readonly onClose: () => void;
}): ReactElement => {
  const text = useSubjectTexts();
  const { subjectHost, server } = useServices();
  const host = () => {
    if (!subjectHost) throw new Error('This page creates no subjects.');
    return subjectHost();
  };
  const choice = useSubject(faces, host, onClose);
  const { photos, isOn, isBusy, error } = choice;
  return (
    <Dialog title={text.title} className={styles['dialog']} onClose={onClose}>
      <p>{text.lead}</p>
      <Notice variant="box">
        {text.consent} {host().name === 'server' ? text.onServer(server.address) : text.local}
      </Notice>
      <Photos choice={choice} />
      <Notice>{isOn && photos.length === 0 ? text.lost : text.advice}</Notice>
      {faces.length > 1 && <Notice>{text.checkFrames}</Notice>}
      <Notice isWarning role="alert">
        {error}
      </Notice>
      <div className="row">
        <Button
          variant="primary"
          disabled={photos.length === 0 || isBusy}
          onClick={() => void choice.start()}
        >
          {isBusy ? text.starting : text.start}
        </Button>
        {isOn && (
          <Button disabled={isBusy} onClick={choice.stop}>
            {text.stop}
          </Button>
        )}
      </div>
    </Dialog>
  );
};
