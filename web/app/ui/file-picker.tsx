import { useRef, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { acceptedFiles, BAG_FORMATS, IMAGE_SOURCE_FORMATS, VIDEO_FORMATS } from '#shared/catalogue/formats';
import { addFiles } from '../../state/add-files';
import { useServices } from '../services';

interface FileInputProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  readonly onFiles: (files: readonly File[]) => void;
  readonly render: (open: () => void) => ReactNode;
}

/** A button that lets the user pick files. The input itself stays out of sight; `render` draws the button. */
export const FileInput = ({ onFiles, render, ...props }: FileInputProps): ReactElement => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        {...props}
        ref={input}
        type="file"
        hidden
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = ''; // so that the same file can be chosen again
        }}
      />
      {render(() => input.current?.click())}
    </>
  );
};

/** Phones offer their photos only for lists of nothing but images and videos. */
const chosenFormats = () => [
  ...IMAGE_SOURCE_FORMATS,
  ...VIDEO_FORMATS,
  ...(matchMedia('(any-pointer: fine)').matches ? BAG_FORMATS : []),
];

/** Lets the user pick images, videos and bags to add. */
export const FilePicker = ({
  from = 'files',
  render,
}: Pick<FileInputProps, 'render'> & {
  /** `camera`: a phone takes a new image. */
  readonly from?: 'files' | 'camera';
}): ReactElement => {
  const isCamera = from === 'camera';
  const { store } = useServices();
  return (
    <FileInput
      accept={isCamera ? 'image/*' : acceptedFiles(chosenFormats())}
      multiple={!isCamera}
      {...(isCamera && { capture: 'environment' })}
      data-testid={isCamera ? 'camera-input' : 'file-input'}
      onFiles={(files) => void addFiles(store, files)}
      render={render}
    />
  );
};
