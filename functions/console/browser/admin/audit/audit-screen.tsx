import { useList } from '../../api/reads.ts';
import { Empty } from '../../components/empty.tsx';
import { TextField } from '../../fields/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
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
  const edit = useEdit({ key: 'audit-target', base: { target_id: target }, draft: false });
  return (
    <Form
      operation="listAudit"
      edit={edit}
      asks
      submit={texts.show}
      actions={target !== '' && <a href="/console/admin/audit">{texts.all}</a>}
      failure={undefined}
      onSend={async (values) => {
        const typed = values.target_id.trim();
        navigate(typed === '' ? '/console/admin/audit' : auditPathOf(typed));
        return undefined;
      }}
    >
      <TextField name="target_id" label={texts.filter} hint={texts.filterHint} type="search" optional />
    </Form>
  );
}
