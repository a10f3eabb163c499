import { useRef, useState } from 'preact/hooks';
import { type ItemOf, useList } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { announce } from '../../components/live.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { When } from '../../components/when.tsx';
import { LoadedList } from '../../frame/loaded.tsx';
import { Screen } from '../../frame/screen.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { IdLink } from '../audit/id-link.tsx';
import { auditPathOf } from '../audit/targets.ts';
import { texts } from './jobs-texts.ts';

type Job = ItemOf<'listJobs'>;
const states = ['dead', 'late'] as const;

const nameOf = ({ kind }: Job) => wordOf('job', kind);

/** The service's own work that does not get done: first what was given up, then what is late. */
export function JobsScreen() {
  const [asked, setAsked] = useState<Job>();
  const [done, setDone] = useState<Job>();
  const outcome = useRef<HTMLDivElement>(null);
  const { send, sending, failure } = useSend('redriveJob');

  async function redrive(job: Job): Promise<void> {
    setDone(undefined);
    setAsked(job);
    if (await send({ body: { job_id: job.id } })) {
      setDone(job);
      announce(texts.redriven(nameOf(job)));
    }
    // The button goes with its row.
    outcome.current?.focus();
  }

  return (
    <Screen title={texts.title}>
      <div ref={outcome} tabIndex={-1} class="stack">
        {done && <p class="notice">{texts.redriven(nameOf(done))}</p>}
        {failure && asked && (
          <FailureNotice failure={failure} notDone={texts.notRedriven(nameOf(asked))} onRetry={() => void redrive(asked)} />
        )}
      </div>
      {states.map((state) => (
        <Jobs key={state} state={state} sending={sending} onRedrive={(job) => void redrive(job)} />
      ))}
    </Screen>
  );
}

function Jobs({ state, sending, onRedrive }: { state: (typeof states)[number]; sending: boolean; onRedrive: (job: Job) => void }) {
  const jobs = useList('listJobs', { query: { state } });
  const label = wordOf('job_state', state);
  return (
    <section class="stack">
      <h2>{label}</h2>
      <p>{texts.about[state]}</p>
      <LoadedList of={jobs} none={<Empty text={texts.none[state]} />}>
        {(rows) => (
          <DataTable
            label={label}
            rows={rows}
            attributesOf={() => ({ 'data-state': state })}
            columns={[
              { name: texts.job, of: (job) => <JobName job={job} /> },
              { name: texts.of, of: ({ target_id }) => <IdLink href={auditPathOf(target_id)} id={target_id} /> },
              { name: texts.failure, of: ({ last_failure }) => (last_failure ? <SellerText text={last_failure} /> : texts.unknown) },
              { name: texts.attempts, of: ({ attempts }) => attempts, number: true },
              { name: texts.due, of: ({ due_at }) => <When at={due_at} /> },
              { name: texts.created, of: ({ created_at }) => <When at={created_at} /> },
              {
                name: texts.redrive,
                of: (job) => (
                  <SendButton
                    operation="redriveJob"
                    target={job.id}
                    sending={sending}
                    kind="quiet"
                    label={texts.redriveOf(`${nameOf(job)} ${job.target_id}`)}
                    onPress={() => onRedrive(job)}
                  >
                    {texts.redrive}
                  </SendButton>
                ),
              },
            ]}
          />
        )}
      </LoadedList>
    </section>
  );
}

const JobName = ({ job }: { job: Job }) => (
  <>
    {nameOf(job)}
    <br />
    <code class="small">
      <SellerText text={job.id} />
    </code>
  </>
);
