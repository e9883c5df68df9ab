import { useState, type ReactElement } from 'react';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Icon } from '../ui/icons';
import { SteadyText } from '../ui/steady-text';
import styles from './shell.module.css';
import { Dialog } from '../ui/dialog';
import about from '../about/about.module.css';

/** The requests of this page, and how to verify them without having to trust the page. */
const PrivacyDialog = ({ onClose }: { readonly onClose: () => void }): ReactElement => {
  const text = useMessages().privacy;
  const { traffic } = useServices();
  const { isCounted, sentBytes, requestCount, requests } = useStore(traffic, (current) => current);
  return (
    <Dialog title={text.title} onClose={onClose}>
      <p className={about['figure']} data-testid="sent-total">
        {isCounted ? text.sent(sentBytes) : text.notCounted}
      </p>
      <p>{isCounted ? text.requests(requestCount, sentBytes) : text.notCountedDetail}</p>
      {requests.length > 0 && (
        <details>
          <summary>{text.list}</summary>
          <div className={about['scroller']} tabIndex={0} role="region" aria-label={text.list}>
            <table className={about['table']}>
              <thead>
                <tr>
                  <th scope="col">{text.method}</th>
                  <th scope="col">{text.address}</th>
                  <th scope="col">{text.bytes}</th>
                </tr>
              </thead>
              <tbody>
                {requests.map(({ method, address, bytes }, i) => (
                  <tr key={requestCount - i}>
                    <td>{method}</td>
                    <td>{address}</td>
                    <td>{bytes}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
      <section className={about['section']}>
        <h3>{text.why}</h3>
        <p>{text.whyDetail}</p>
      </section>
      <section className={about['section']}>
        <h3>{text.check}</h3>
        <ol className={about['steps']}>
          {text.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
    </Dialog>
  );
};

/** Shows how many bytes this page has sent, and opens the dialog that proves it. */
export const PrivacyBadge = (): ReactElement => {
  const messages = useMessages();
  const { traffic } = useServices();
  const { isCounted, sentBytes } = useStore(traffic, (current) => current);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles['privacy']}
        title={messages.privacy.open}
        data-testid="sent"
        data-counted={isCounted}
        data-sent={sentBytes > 0}
        onClick={() => setOpen(true)}
      >
        <Icon name="lock" size={18} />
        <span className="word">
          <SteadyText others={[messages.privacy.badge, messages.privacy.sent(0)]}>
            {isCounted ? messages.privacy.sent(sentBytes) : messages.privacy.badge}
          </SteadyText>
        </span>
      </button>
      {isOpen && <PrivacyDialog onClose={() => setOpen(false)} />}
    </>
  );
};
