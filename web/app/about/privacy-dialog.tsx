import type { ReactElement } from 'react';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Dialog } from '../ui/dialog';
import styles from './about.module.css';

/** The requests of this page, and how to verify them without having to trust the page. */
export const PrivacyDialog = ({ onClose }: { readonly onClose: () => void }): ReactElement => {
  const text = useMessages().privacy;
  const { traffic } = useServices();
  const { isCounted, sentBytes, requestCount, requests } = useStore(traffic, (current) => current);
  return (
    <Dialog title={text.title} onClose={onClose}>
      <p className={styles['figure']} data-testid="sent-total">
        {isCounted ? text.sent(sentBytes) : text.notCounted}
      </p>
      <p>{isCounted ? text.requests(requestCount, sentBytes) : text.notCountedDetail}</p>
      {requests.length > 0 && (
        <details>
          <summary>{text.list}</summary>
          <div className={styles['scroller']} tabIndex={0} role="region" aria-label={text.list}>
            <table className={styles['table']}>
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
      <section className={styles['section']}>
        <h3>{text.why}</h3>
        <p>{text.whyDetail}</p>
      </section>
      <section className={styles['section']}>
        <h3>{text.check}</h3>
        <ol className={styles['steps']}>
          {text.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
    </Dialog>
  );
};
