import type { ReactElement } from 'react';
import { isProbablySphere } from '#shared/domain/projection';
import type { MediaItem } from '../../state/media-item';
import { useMessages } from '../messages';
import { useAppState, useSettings } from '../services';
import { Checkbox } from '../ui/inputs';
import { Notice } from '../ui/notice';

/**
 * Says how a panorama was searched, and asks about files that look like panoramas and do not say so: one answer for all
 * of them, which nobody has to wait for.
 */
export const PanoramaChoice = ({ item }: { readonly item: MediaItem | undefined }): ReactElement | null => {
  const text = useMessages().panorama;
  const { items } = useAppState();
  const { settings, change } = useSettings();
  const stated = item?.result?.projection;
  const guessed = items.filter(({ result }) => result && isProbablySphere(result)).length;
  const isStated = stated === 'sphere' || stated === 'part';
  if (!isStated && guessed === 0) return null;
  return (
    <div data-testid="panorama">
      {isStated && <Notice>{text[stated]}</Notice>}
      {guessed > 0 && (
        <>
          <Notice>{text.guessHint(guessed)}</Notice>
          <Checkbox
            checked={settings.guessesSpheres ?? true}
            variant={(guessesSpheres) => change({ ...settings, guessesSpheres })}
          >
            {text.guess}
          </Checkbox>
        </>
      )}
    </div>
  );
};
