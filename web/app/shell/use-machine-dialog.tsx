import { useState, type ReactElement } from 'react';
import { useLoaded } from '../ui/use-loaded';

const loadDialog = () => import('../about/machine-dialog');

/** The dialog "On this device", whose code is loaded when it is first opened. */
export const useMachineDialog = (): { readonly dialog: ReactElement | undefined; open(): void } => {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const loaded = useLoaded(isOpen, loadDialog, close);
  return { dialog: loaded && <loaded.MachineDialog onClose={close} />, open: () => setOpen(true) };
};
