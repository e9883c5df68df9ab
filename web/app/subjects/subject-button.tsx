import { useState, type ReactElement } from 'react';
import type { SelectedFace } from '../../state/subjects/crop-sample';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { useLoaded } from '../ui/use-loaded';

const loadDialog = () => import('./subject-dialog');

/** Opens the dialog for the person who stays visible. */
export const SubjectButton = ({
  face,
}: {
  /** The selected face of the item in view, as a further sample. */
  readonly face?: SelectedFace;
}): ReactElement | null => {
  const text = useMessages().panel;
  const [isOpen, setOpen] = useState(false);
  const dialog = useLoaded(isOpen, loadDialog, () => setOpen(false));
  // Reviews upload nothing.
  if (!useServices().subjectHost) return null;
  return (
    <>
      <Button variant={face ? 'quiet' : 'secondary'} onClick={() => setOpen(true)}>
        {face ? text.keepFace : text.keepPerson}
      </Button>
      {dialog && <dialog.SubjectDialog face={face} onClose={() => setOpen(false)} />}
    </>
  );
};
