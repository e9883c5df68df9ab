import { useState, type ReactElement } from 'react';
import type { SelectedFace } from '../../state/subjects/crop-sample';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button, IconButton } from '../ui/button';
import { useLoaded } from '../ui/use-loaded';

const loadDialog = () => import('./subject-dialog');

/** Opens the dialog for the person who stays visible. */
export const SubjectButton = ({
  faces = [],
  name,
}: {
  /** The selected face of the item in view, as further samples: in an image, or in several frames of a video. */
  readonly faces?: readonly SelectedFace[];
  /** The object, in the name of the button; without it, the button has a text. */
  readonly name?: string;
}): ReactElement | null => {
  const text = useMessages().panel;
  const [isOpen, setOpen] = useState(false);
  const dialog = useLoaded(isOpen, loadDialog, () => setOpen(false));
  // Reviews upload nothing.
  if (!useServices().subjectHost) return null;
  const open = (): void => setOpen(true);
  return (
    <>
      {name === undefined ? (
        <Button variant={faces.length > 0 ? 'quiet' : 'secondary'} onClick={open}>
          {faces.length > 0 ? text.keepFace : text.keepPerson}
        </Button>
      ) : (
        <IconButton icon="eye" label={`${text.keepFace} ${name}`} title={text.keepFace} onClick={open} />
      )}
      {dialog && <dialog.SubjectDialog faces={faces} onClose={() => setOpen(false)} />}
    </>
  );
};
