import { useRef, type ReactElement, type ReactNode } from 'react';
import { acceptedFiles, IMAGE_SOURCE_FORMATS, VIDEO_FORMATS } from '#shared/catalogue/formats';
import { addFiles } from '../../state/intake';
import { useServices } from '../services';

/**
 * A button that lets the user pick pictures and videos. The input itself stays out of sight; `render` draws the button.
 */
export const FilePicker = ({
  from = 'files',
  render,
}: {
  /** `camera`: a phone takes a new picture. */
  readonly from?: 'files' | 'camera';
  readonly render: (open: () => void) => ReactNode;
}): ReactElement => {
  const isCamera = from === 'camera';
  const { store } = useServices();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={isCamera ? 'image/*' : acceptedFiles([...IMAGE_SOURCE_FORMATS, ...VIDEO_FORMATS])}
        multiple={!isCamera}
        {...(isCamera && { capture: 'environment' })}
        hidden
        data-testid={isCamera ? 'camera-input' : 'file-input'}
        onChange={({ currentTarget }) => {
          addFiles(store, currentTarget.files ?? []);
          currentTarget.value = ''; // so that the same file can be chosen again
        }}
      />
      {render(() => input.current?.click())}
    </>
  );
};
