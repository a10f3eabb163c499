import { useState } from 'preact/hooks';
import type { ApiToken, Product } from '../../../../../build/client.ts';
import { useList } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { AskFirst } from '../../components/ask-first.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { announceDone } from '../../components/live.tsx';
import { Secret } from '../../components/secret.tsx';
import { When } from '../../components/when.tsx';
import { Checks } from '../../fields/choices.tsx';
import { NumberField, TextField } from '../../fields/fields.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { LoadedList } from '../../frame/loaded.tsx';
import { Screen } from '../../frame/screen.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { sellerStates } from '../../words/seller-states.ts';
import { wordOf } from '../../words/words.ts';
import { useProducts } from '../orders/product-names.ts';
import { texts } from './token-texts.ts';
import { bodyOfToken, lifeOf, type TokenValues } from './token-values.ts';

/** The tokens with which a seller's programs call. */
export function TokensScreen() {
  const tokens = useList('listApiTokens', { query: { limit: 100 } });
  const { products, loading, nameOf } = useProducts();
  const [secret, setSecret] = useState<string>();
  return (
    <Screen title={texts.tokens} lead={texts.lead}>
      {secret !== undefined && (
        <Secret
          label={texts.secret}
          value={secret}
          onDone={() => {
            setSecret(undefined);
            document.querySelector('h1')?.focus();
          }}
        />
      )}
      <LoadedList of={loading ? { ...tokens, body: undefined } : tokens} none={<Empty text={texts.none} />}>
        {(read) => <Tokens tokens={read} nameOf={nameOf} />}
      </LoadedList>
      <section>
        <h2 id="new-token" tabIndex={-1}>
          {texts.make}
        </h2>
        <NewToken products={products} onMade={setSecret} />
      </section>
    </Screen>
  );
}

const looks = { live: 'state good', expired: 'state', revoked: 'state bad' };

function Tokens({ tokens, nameOf }: { tokens: readonly ApiToken[]; nameOf: (productId: string) => string }) {
  const now = Date.now();
  return (
    <DataTable
      label={texts.tokens}
      rows={tokens}
      columns={[
        { name: texts.name, of: ({ name }) => <SellerText text={name} /> },
        {
          name: texts.state,
          of: (token) => {
            const life = lifeOf(token, now);
            return <span class={looks[life]}>{texts.lives[life]}</span>;
          },
        },
        { name: texts.scopes, of: ({ scopes }) => scopes.map((scope) => wordOf('scope', scope)).join(', ') },
        {
          name: texts.products,
          of: ({ product_ids }) => (product_ids ? <SellerText text={product_ids.map(nameOf).join(', ')} /> : texts.allProducts),
        },
        { name: texts.used, of: ({ last_used_at }) => (last_used_at ? <When at={last_used_at} ago /> : texts.unused) },
        { name: texts.ends, of: ({ expires_at, revoked_at }) => <When at={revoked_at ?? expires_at} /> },
        {
          name: texts.revoke,
          of: (token) =>
            lifeOf(token, now) === 'live' && (
              <AskFirst
                operation="revokeApiToken"
                args={() => ({ path: { token_id: token.id } })}
                target={token.id}
                ask={texts.revoke}
                label={`${texts.revoke}: ${token.name}`}
                notDone={texts.notRevoked}
                focusAfter="new-token"
              >
                <p>
                  <SellerText text={texts.revokeText(token.name)} />
                </p>
              </AskFirst>
            ),
        },
      ]}
    />
  );
}

const blank: TokenValues = { name: '', scopes: [], product_ids: [], expires_in_days: '90' };

function NewToken({ products, onMade }: { products: readonly Product[]; onMade: (token: string) => void }) {
  const edit = useEdit({ key: 'token', base: blank });
  const { send, failure } = useSend('createApiToken');
  return (
    <Form
      operation="createApiToken"
      edit={edit}
      submit={texts.make}
      check={(values) => bodyFaults('createApiToken', bodyOfToken(values), values)}
      onSend={async (values) => {
        const made = await send({ body: bodyOfToken(values) });
        if (!made) return undefined;
        announceDone(texts.make);
        onMade(made.token);
        return { values: blank };
      }}
      failure={failure}
      notDone={texts.notMade}
    >
      <TextField name="name" label={texts.name} hint={texts.nameHint} most={100} />
      <Checks name="scopes" label={texts.scopes} options={Object.entries(sellerStates.scope)} />
      {products.length > 0 && (
        <Checks
          name="product_ids"
          label={texts.products}
          hint={texts.productsHint}
          options={products.map(({ id, name }) => [id, name])}
          optional
        />
      )}
      <NumberField name="expires_in_days" label={texts.days} hint={texts.daysHint} unit={texts.daysUnit} />
    </Form>
  );
}
