import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';

const viewer = document.getElementById('viewer');

/** What the viewer leaves unnamed for people who listen, and out of reach of a keyboard. */
function mend() {
  for (const select of viewer.querySelectorAll('select:not([aria-label])')) {
    select.setAttribute('aria-label', nameOf(select));
  }
  for (const example of viewer.querySelectorAll('.microlight:not([tabindex])')) {
    example.tabIndex = 0;
  }
  // Of two operations that are open, each table of replies would be the same region.
  for (const table of viewer.querySelectorAll('.responses-table[role="region"]')) {
    table.removeAttribute('role');
  }
}

function nameOf(select) {
  const parameter = select.closest('tr[data-param-name]')?.dataset.paramName;
  if (parameter) return parameter;
  if (select.id === 'servers') return 'Server';
  return select.closest('.examples-select') ? 'Example' : 'Content type';
}

/** As the viewer's BaseLayout, which takes itself for the main content: the page has that already. */
const asPart = ({ React: { createElement } }) => ({
  components: {
    PartLayout({ getComponent, specSelectors }) {
      const status = specSelectors.loadingStatus();
      if (status !== 'success') {
        return createElement(
          'p',
          null,
          status === 'loading' ? 'Loading …' : 'The endpoints could not be loaded. They are in /openapi.json.',
        );
      }
      const part = (name, className) => createElement('div', { className, key: name }, createElement(getComponent(name, true)));
      return createElement('div', { className: 'swagger-ui' }, [
        part('SvgAssets'),
        part('InfoContainer', 'wrapper'),
        createElement(
          'div',
          { className: 'scheme-container', key: 'schemes' },
          createElement('div', { className: 'schemes wrapper' }, [part('ServersContainer'), part('AuthorizeBtnContainer')]),
        ),
        part('operations', 'wrapper'),
        part('Models', 'wrapper'),
      ]);
    },
  },
});

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

new MutationObserver(mend).observe(viewer, { childList: true, subtree: true });

SwaggerUIBundle({
  url: '/openapi.json',
  domNode: viewer,
  layout: 'PartLayout',
  plugins: [asPart],
  // It would take the guide's own anchors for its operations, and rewrite them.
  deepLinking: false,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  // A validator badge would be loaded from another host.
  validatorUrl: null,
  // Signing in elsewhere is no business of this page.
  oauth2RedirectUrl: null,
});
