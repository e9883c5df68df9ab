import type { ReactElement } from 'react';
import type { ModelFacts } from '../../host/list-models';
import type { RecommendedPack, RecommendedStatus } from '../../state/recommended-models';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { useRead } from '../ui/use-loaded';
import about from './about.module.css';

const bytesOf = (packs: readonly RecommendedPack[]): number =>
  packs.reduce((sum, { bytes }) => sum + bytes, 0);

/** One line for each pack: what it is for, its size, licence and origin. */
const PackList = ({ packs }: { readonly packs: readonly RecommendedPack[] }): ReactElement => {
  const messages = useMessages();
  if (packs.length === 0) return <></>;
  return (
    <ul className={about['list']}>
      {packs.map(({ id, presets, bytes, licence, host }) => (
        <li key={id}>
          {messages.recommended.pack(
            id,
            presets.map((preset) => messages.qualities[preset]),
            [messages.models.megabytes(bytes), licence],
            host,
          )}
        </li>
      ))}
    </ul>
  );
};

const Loading = ({
  receivedBytes,
  totalBytes,
}: Extract<RecommendedStatus, { kind: 'loading' }>): ReactElement => {
  const text = useMessages().recommended;
  const { ownModels } = useServices();
  return (
    <>
      <progress max={totalBytes} value={receivedBytes} aria-label={text.title} />
      <div className="row">
        <span>{text.loading(receivedBytes, totalBytes)}</span>
        <Button onClick={ownModels.recommended.cancel}>{text.cancel}</Button>
      </div>
    </>
  );
};

const Refusal = ({ id, refusal }: Extract<RecommendedStatus, { kind: 'refused' }>): ReactElement => {
  const { recommended, ownModels } = useMessages();
  const { fetching } = recommended;
  const reason =
    refusal in fetching
      ? fetching[refusal as keyof typeof fetching]
      : ownModels.refusals[refusal as keyof typeof ownModels.refusals];
  return <>{recommended.refused(id, reason)}</>;
};

const Offer = ({ packs }: { readonly packs: readonly RecommendedPack[] }): ReactElement => {
  const text = useMessages().recommended;
  const { ownModels } = useServices();
  return (
    <>
      <p className="soft">{text.network}</p>
      <div className="row">
        <Button onClick={() => void ownModels.recommended.add(packs)}>{text.add(bytesOf(packs))}</Button>
      </div>
    </>
  );
};

/** Offers to download the recommended models. Nothing is requested before the button is pressed. */
export const Recommended = ({ models }: { readonly models: readonly ModelFacts[] }): ReactElement | null => {
  const text = useMessages().recommended;
  const { ownModels } = useServices();
  const status = useStore(ownModels.recommended.status, (current) => current);
  const packs = useRead(() => ownModels.listRecommended(), [ownModels]);
  if (!packs) return null;
  const missing = packs.filter(({ id }) => !models.some((model) => model.id === id));
  const isBusy = status.kind === 'loading' || status.kind === 'testing';
  return (
    <div className={about['add']} data-testid="recommended" data-state={status.kind}>
      <h4>{text.title}</h4>
      <p>{missing.length > 0 || isBusy ? text.lead : text.installed}</p>
      <PackList packs={missing} />
      {missing.length > 0 && !isBusy && <Offer packs={missing} />}
      {status.kind === 'loading' && <Loading {...status} />}
      <Notice role="status">{status.kind === 'testing' && text.testing(status.id)}</Notice>
      <Notice isWarning role="alert">
        {status.kind === 'refused' && <Refusal {...status} />}
      </Notice>
    </div>
  );
};
