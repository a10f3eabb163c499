import { useId } from 'preact/hooks';
import { useList } from '../../api/reads.ts';
import { Empty } from '../../components/empty.tsx';
import { LoadedList } from '../../frame/loaded.tsx';
import { navigate, useLocation } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { AuditTable } from './audit-table.tsx';
import { texts } from './audit-texts.ts';
import { auditPathOf } from './targets.ts';

/** Everything that was recorded, or all about one thing: a screen of its own for each. */
export function AuditScreen() {
  const { query } = useLocation();
  const target = query.target_id ?? '';
  return <Records key={target} target={target} />;
}

function Records({ target }: { target: string }) {
  const records = useList('listAudit', { query: { limit: 50, ...(target !== '' && { target_id: target }) } });
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <TargetForm target={target} />
      <section class="stack">
        <h2>{target === '' ? texts.records : <SellerText text={texts.recordsOf(target)} />}</h2>
        <LoadedList
          of={records}
          none={
            <Empty
              text={target === '' ? texts.none : texts.noneOf}
              next={target !== '' && <a href="/console/admin/audit">{texts.all}</a>}
            />
          }
        >
          {(items) => <AuditTable label={texts.records} records={items} />}
        </LoadedList>
      </section>
    </Screen>
  );
}

function TargetForm({ target }: { target: string }) {
  const id = useId();
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = String(new FormData(event.currentTarget).get('target_id') ?? '').trim();
        navigate(typed === '' ? '/console/admin/audit' : auditPathOf(typed));
      }}
    >
      <div class="field">
        <label for={id}>{texts.filter}</label>
        <p class="hint" id={`${id}-hint`}>
          {texts.filterHint}
        </p>
        <input
          id={id}
          name="target_id"
          defaultValue={target}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-describedby={`${id}-hint`}
        />
      </div>
      <p class="buttons">
        <button type="submit" class="button" data-operation="listAudit">
          {texts.show}
        </button>
        {target !== '' && <a href="/console/admin/audit">{texts.all}</a>}
      </p>
    </form>
  );
}
