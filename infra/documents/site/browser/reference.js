import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';

SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('viewer'),
  layout: 'BaseLayout',
  // It would take the guide's own anchors for its operations, and rewrite them.
  deepLinking: false,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  // A validator badge would be loaded from another host.
  validatorUrl: null,
  // Signing in elsewhere is no business of this page.
  oauth2RedirectUrl: null,
});
