import type { ReactElement } from 'react';
import { FORMATS, IMAGE_SOURCE_FORMATS, isReadDirectly, VIDEO_FORMATS } from '#shared/catalogue/formats';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { FilePicker } from '../ui/file-picker';
import { Icon, type IconName } from '../ui/icons';
import { Scene } from './scene';
import styles from './welcome.module.css';

const IMAGES = IMAGE_SOURCE_FORMATS.map((format) => FORMATS[format].name);
/** Videos are known by their extensions. */
const VIDEOS = VIDEO_FORMATS.filter(isReadDirectly).map((format) => {
  const {
    name,
    extensions: [extension],
  } = FORMATS[format];
  return name.toLowerCase() === extension ? name : extension.toUpperCase();
});

const POINT_ICONS: readonly IconName[] = ['lock', 'check', 'boxes'];

/** The first screen: what Veil does, that it is private, and one button. */
export const Welcome = (): ReactElement => {
  const messages = useMessages();
  const text = messages.welcome;
  const { library } = useServices();
  const keeping = useStore(library.keeping, (current) => current);
  return (
    <main className={styles['welcome']}>
      <div className={styles['card']}>
        <div className={styles['words']}>
          <h1>{text.title}</h1>
          <p className={styles['lead']}>{text.lead}</p>
          <FilePicker
            render={(open) => (
              <Button variant="primary" size="large" data-main-focus onClick={open}>
                <Icon name="add" />
                {text.choose}
              </Button>
            )}
          />
          <FilePicker
            from="camera"
            render={(open) => (
              <Button size="large" className={styles['camera']} onClick={open}>
                <Icon name="camera" />
                {messages.files.takePhoto}
              </Button>
            )}
          />
          <p className="soft">
            {text.hint}
            <br />
            {text.formats(IMAGES, VIDEOS)}
            <br />
            {messages.storage.summaries[keeping]}
          </p>
        </div>
        <Scene />
      </div>
      <ul className={styles['points']}>
        {text.points.map(([title, detail], i) => (
          <li key={title}>
            <Icon name={POINT_ICONS[i] ?? 'check'} />
            <div>
              <h2>{title}</h2>
              <p>{detail}</p>
            </div>
          </li>
        ))}
      </ul>
    </main>
  );
};
