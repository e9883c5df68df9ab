import type { ReactElement } from 'react';
import type { AppState } from '../state/app-reducer';
import { LostNotice, UpdateNotice, ServerBanner, Announcer } from './shell/notices';
import { LanguageProvider, type Catalogue } from './messages';
import { useAppState, useServices } from './services';
import { DropTarget } from './shell/drop-target';
import { Header } from './shell/header';
import { useLanguageChoice } from './shell/language';
import { useKeptFocus } from './shell/use-kept-focus';
import { Welcome } from './welcome/welcome';
import { Workspace } from './workspace/workspace';
import { NoticeStack } from './ui/notice';
import { useLoaded } from './ui/use-loaded';

const loadBags = () => import('./bags/bag-view');

/** A bag on the screen. The code is loaded with the first one; it is closed where that fails. */
const LoadedBag = ({ id, file }: AppState['bags'][number]): ReactElement | null => {
  const { store } = useServices();
  const loaded = useLoaded(true, loadBags, () => store.send({ type: 'bag-closed' }));
  return loaded ? <loaded.BagView key={id} file={file} /> : null;
};

/** @param catalogue texts for the first render */
export const App = ({ catalogue }: { readonly catalogue: Catalogue }): ReactElement => {
  const { items, selectedId, bags } = useAppState();
  useKeptFocus(`${selectedId} ${items.length} ${bags.length}`);
  return (
    <LanguageProvider value={useLanguageChoice(catalogue)}>
      <Header />
      <ServerBanner />
      {useServices().banner}
      {bags[0] ? <LoadedBag {...bags[0]} /> : items.length === 0 ? <Welcome /> : <Workspace />}
      <DropTarget />
      <NoticeStack>
        <LostNotice />
        <UpdateNotice />
      </NoticeStack>
      <Announcer />
    </LanguageProvider>
  );
};
