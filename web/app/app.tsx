import type { ReactElement } from 'react';
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

/** @param catalogue texts for the first render */
export const App = ({ catalogue }: { readonly catalogue: Catalogue }): ReactElement => {
  const { pictures, selectedId } = useAppState();
  useKeptFocus(`${selectedId} ${pictures.length}`);
  return (
    <LanguageProvider value={useLanguageChoice(catalogue)}>
      <Header />
      <ServerBanner />
      {useServices().banner}
      {pictures.length === 0 ? <Welcome /> : <Workspace />}
      <DropTarget />
      <NoticeStack>
        <LostNotice />
        <UpdateNotice />
      </NoticeStack>
      <Announcer />
    </LanguageProvider>
  );
};
